/**
 * One event per client, from HELLO to its end, as docs/reference/protocol.md describes it. Every process can crash between any two
 * steps, every timeout can strike at any time, and bytes on their way stay readable after the sender is gone.
 */

import type { Model } from './explore.ts';

/** What travels over a connection. A request is sent in two parts, so that a half one can be seen. */
type ToDaemon = 'HELLO' | 'half of REQUEST' | 'rest of REQUEST';
type ToClient = 'READY' | 'RETIRED' | 'ANSWER' | 'FAILED';
interface Connection {
  readonly client: number;
  readonly daemon: number;
  readonly toDaemon: readonly ToDaemon[];
  readonly toClient: readonly ToClient[];
  readonly clientIsGone: boolean;
  readonly daemonIsGone: boolean;
  /** What the daemon does with this connection. */
  readonly service: 'greets' | 'is ready' | 'has half a request' | 'runs hooks' | 'is done';
}
interface Client {
  readonly does:
    | 'connects'
    | 'waits for READY'
    | 'sends'
    | 'waits for ANSWER'
    | 'runs directly'
    | 'ended'
    | 'crashed';
  readonly attempt: 1 | 2;
  readonly connection: number;
  /** What the agent got. A failure is what --on-failure says: a refusal or a notice. */
  readonly result?: 'answer' | 'failure';
  /** How often the hooks of its event were called, and whether they came to their end. */
  readonly runs: number;
  readonly judged: boolean;
  readonly ranHalf: boolean;
}
type Daemon = 'does not run' | 'listens' | 'retires' | 'has ended';
export interface State {
  readonly clients: readonly Client[];
  readonly daemons: readonly Daemon[];
  readonly connections: readonly Connection[];
}

/** Deliberate mistakes, to see that the rules notice them. */
export type Mistake =
  | 'the client runs the event directly when the daemon goes away after the request'
  | 'the client runs the event directly when the daemon is silent after the request'
  | 'the client runs the event directly on FAILED'
  | 'the client tries again when the daemon goes away after the request'
  | 'the daemon runs a half request'
  | 'the client takes the end of the connection for an answer';

interface Options {
  readonly clients: number;
  readonly daemons: number;
  readonly mistake?: Mistake;
}

export function eventModel({ clients, daemons, mistake }: Options): Model<State> {
  const client: Client = {
    does: 'connects',
    attempt: 1,
    connection: -1,
    runs: 0,
    judged: false,
    ranHalf: false,
  };
  return {
    start: {
      clients: Array.from({ length: clients }, () => client),
      daemons: Array.from({ length: daemons }, () => 'does not run' as const),
      connections: [],
    },
    *steps(state) {
      for (const at of state.clients.keys()) yield* clientSteps(state, at, mistake);
      for (const at of state.daemons.keys()) yield* daemonSteps(state, at);
      for (const at of state.connections.keys()) yield* serviceSteps(state, at, mistake);
    },
    broken(state, isFinal) {
      for (const { runs, ranHalf, judged, result, does } of state.clients) {
        if (runs > 1) return 'hooks of an event run at most once';
        if (ranHalf) return 'a request that does not arrive in full is never run';
        if (result === 'answer' && !judged) return 'an answer is given only if the hooks have run';
        if (isFinal && does !== 'ended' && does !== 'crashed') return 'every client comes to its end';
      }
      return undefined;
    },
  };
}

const replaced = <Item>(items: readonly Item[], at: number, change: Partial<Item>): Item[] =>
  items.map((item, index) => (index === at ? { ...item, ...change } : item));
const withClient = (state: State, at: number, change: Partial<Client>): State => ({
  ...state,
  clients: replaced(state.clients, at, change),
});
const withConnection = (state: State, at: number, change: Partial<Connection>): State => ({
  ...state,
  connections: replaced(state.connections, at, change).map(forgotten),
});
/** A connection that neither side uses any more is like any other such connection. */
const forgotten = (connection: Connection): Connection =>
  connection.clientIsGone && (connection.daemonIsGone || connection.service === 'is done')
    ? { ...connection, toDaemon: [], toClient: [], daemonIsGone: true, service: 'is done' }
    : connection;
const withDaemon = (state: State, at: number, daemon: Daemon): State => ({
  ...state,
  daemons: state.daemons.map((other, index) => (index === at ? daemon : other)),
});

type Step = readonly [string, State];

function* clientSteps(state: State, at: number, mistake: Mistake | undefined): Generator<Step> {
  const client = state.clients[at] as Client;
  if (client.does === 'ended' || client.does === 'crashed') return;
  const connection = state.connections[client.connection];
  const name = `client ${at}`;
  /** The client with other values, and its connection closed. */
  const leaves = (change: Partial<Client>): State => {
    const changed = withClient(state, at, { ...change, connection: -1 });
    return client.connection === -1
      ? changed
      : withConnection(changed, client.connection, { clientIsGone: true });
  };
  const runsDirectly = (): State => leaves({ does: 'runs directly', runs: client.runs + 1 });
  const fails = (): State => leaves({ does: 'ended', result: 'failure' });
  const triesAgain = (): State =>
    client.attempt === 1 ? leaves({ does: 'connects', attempt: 2 }) : runsDirectly();
  yield [`${name} crashes`, leaves({ does: 'crashed' })];

  if (client.does === 'runs directly') {
    yield [
      `${name} gets the answer of its direct run`,
      leaves({ does: 'ended', result: 'answer', judged: true }),
    ];
    yield [`${name} sees its direct run fail`, fails()];
    return;
  }
  const next = connection?.toClient[0];
  const rest = connection?.toClient.slice(1) ?? [];
  const daemonIsGone = connection?.daemonIsGone === true && next === undefined;
  const sends = (frames: readonly ToDaemon[], does: Client['does'], taken: readonly ToClient[]): State =>
    withConnection(withClient(state, at, { does }), client.connection, {
      toDaemon: [...(connection?.toDaemon ?? []), ...frames],
      toClient: taken,
    });

  if (client.does === 'connects') {
    yield [`${name} finds no daemon in time and runs the event directly`, runsDirectly()];
    const daemon = state.daemons.indexOf('listens');
    if (daemon === -1) return;
    const opened: Connection = {
      client: at,
      daemon,
      toDaemon: ['HELLO'],
      toClient: [],
      clientIsGone: false,
      daemonIsGone: false,
      service: 'greets',
    };
    const connected = withClient(state, at, {
      does: 'waits for READY',
      connection: state.connections.length,
    });
    yield [`${name} connects and sends HELLO`, { ...connected, connections: [...state.connections, opened] }];
  }
  if (client.does === 'waits for READY') {
    yield [`${name} waits too long for READY and runs the event directly`, runsDirectly()];
    if (next === 'READY') yield [`${name} sends half of REQUEST`, sends(['half of REQUEST'], 'sends', rest)];
    if (next === 'RETIRED') yield [`${name} reads RETIRED`, triesAgain()];
    if (daemonIsGone) yield [`${name} sees the daemon go before READY`, triesAgain()];
  }
  if (client.does === 'sends' || client.does === 'waits for ANSWER') {
    if (client.does === 'sends')
      yield [
        `${name} sends the rest of REQUEST`,
        sends(['rest of REQUEST'], 'waits for ANSWER', connection?.toClient ?? []),
      ];
    if (next === 'ANSWER')
      yield [
        `${name} reads ANSWER`,
        client.does === 'sends' ? fails() : leaves({ does: 'ended', result: 'answer' }),
      ];
    if (next === 'FAILED')
      yield [
        `${name} reads FAILED`,
        mistake === 'the client runs the event directly on FAILED' ? runsDirectly() : fails(),
      ];
    yield [
      `${name} hears nothing for 10 seconds`,
      mistake === 'the client runs the event directly when the daemon is silent after the request'
        ? runsDirectly()
        : fails(),
    ];
    if (daemonIsGone)
      yield [
        `${name} sees the daemon go after the request`,
        mistake === 'the client runs the event directly when the daemon goes away after the request'
          ? runsDirectly()
          : mistake === 'the client tries again when the daemon goes away after the request'
            ? triesAgain()
            : mistake === 'the client takes the end of the connection for an answer'
              ? leaves({ does: 'ended', result: 'answer' })
              : fails(),
      ];
  }
}

/** The life of a daemon. A crash takes its connections and running hooks with it. */
function* daemonSteps(state: State, at: number): Generator<Step> {
  const daemon = state.daemons[at];
  const name = `daemon ${at}`;
  const ends = (): State => ({
    ...withDaemon(state, at, 'has ended'),
    connections: state.connections.map((connection) =>
      connection.daemon === at
        ? forgotten({ ...connection, daemonIsGone: true, toDaemon: [], service: 'is done' })
        : connection,
    ),
  });
  if (
    daemon === 'does not run' &&
    !state.daemons.includes('listens') &&
    at === state.daemons.indexOf('does not run')
  )
    yield [`${name} starts and listens`, withDaemon(state, at, 'listens')];
  if (daemon === 'listens') yield [`${name} stops listening and retires`, withDaemon(state, at, 'retires')];
  if (daemon === 'listens' || daemon === 'retires') yield [`${name} crashes`, ends()];
  const isBusy = state.connections.some((other) => other.daemon === at && other.service !== 'is done');
  if (daemon === 'retires' && !isBusy) yield [`${name} has finished and ends`, ends()];
}

/** What the daemon does with one connection. */
function* serviceSteps(state: State, at: number, mistake: Mistake | undefined): Generator<Step> {
  const connection = state.connections[at] as Connection;
  const { client, daemon, toDaemon, toClient, clientIsGone, daemonIsGone, service } = connection;
  if (daemonIsGone || service === 'is done') return;
  const name = `daemon ${daemon} (client ${client})`;
  const [next, ...rest] = toDaemon;
  const says = (frame: ToClient, more: Partial<Connection>): State =>
    withConnection(state, at, {
      toDaemon: rest,
      ...more,
      toClient: clientIsGone ? [] : [...toClient, frame],
    });
  const closes = (): State =>
    withConnection(state, at, { service: 'is done', daemonIsGone: true, toDaemon: [] });
  const runs = (from: State): State =>
    withClient(from, client, { runs: (from.clients[client] as Client).runs + 1 });

  if (service === 'greets' && next === 'HELLO') {
    if (state.daemons[daemon] === 'retires')
      yield [`${name} sends RETIRED`, says('RETIRED', { service: 'is done' })];
    else yield [`${name} sends READY`, says('READY', { service: 'is ready' })];
  }
  if (service === 'is ready' && next === 'half of REQUEST')
    yield [
      `${name} reads half of REQUEST`,
      withConnection(state, at, { service: 'has half a request', toDaemon: rest }),
    ];
  if (service === 'has half a request' && next === 'rest of REQUEST')
    yield [
      `${name} calls the hooks`,
      runs(withConnection(state, at, { service: 'runs hooks', toDaemon: rest })),
    ];
  if (service === 'runs hooks') {
    const judged = withClient(says('ANSWER', { service: 'is done' }), client, { judged: true });
    yield [`${name} sends ANSWER`, judged];
    yield [`${name} sends FAILED`, says('FAILED', { service: 'is done' })];
  }
  // Its client is gone and everything it sent is read.
  if (clientIsGone && next === undefined && service !== 'runs hooks')
    yield mistake === 'the daemon runs a half request' && service === 'has half a request'
      ? [`${name} calls the hooks with half a request`, withClient(closes(), client, { ranHalf: true })]
      : [`${name} drops the connection of a client that is gone`, closes()];
}
