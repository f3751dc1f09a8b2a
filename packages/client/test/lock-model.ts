/**
 * How clients agree on who starts the daemon, as docs/reference/protocol.md describes it. A lock is the file `starting.<n>` of a
 * period of time. One assumption: between the moment a client has its lock and the moment its daemon listens, no period begins and
 * ends; the protocol gives 20 seconds for that.
 */

import type { Model } from './explore.ts';

interface Client {
  readonly does:
    | 'connects'
    | 'looks for a lock of the period before'
    | 'makes its lock'
    | 'checks its lock'
    | 'connects once more'
    | 'starts the daemon'
    | 'watches its daemon'
    | 'ended';
  /** The period it has read from the clock, and whether the file of that period is its own. */
  readonly period: number;
  readonly daemon: number;
}
type Daemon = 'does not run' | 'starts' | 'listens' | 'has ended';
export interface State {
  readonly clients: readonly Client[];
  readonly daemons: readonly Daemon[];
  /** The period in which each daemon was started. */
  readonly startedIn: readonly number[];
  readonly now: number;
  /** Which client made the lock of each period; null: there is none. */
  readonly locks: readonly (number | null)[];
}
export type Mistake =
  | 'a client removes a lock that another one made'
  | 'a client does not connect once more when it has its lock'
  | 'a client does not look for a lock of the period before'
  | 'a client does not read the clock again'
  | 'there is no lock';

interface Options {
  readonly clients: number;
  readonly daemons: number;
  readonly periods: number;
  readonly mistake?: Mistake;
}

export function lockModel({ clients, daemons, periods, mistake }: Options): Model<State> {
  const fill = <Item>(length: number, item: Item): Item[] => Array.from({ length }, () => item);
  return {
    start: {
      clients: fill(clients, { does: 'connects', period: -1, daemon: -1 }),
      daemons: fill(daemons, 'does not run'),
      startedIn: fill(daemons, -1),
      now: 0,
      locks: fill(periods, null),
    },
    *steps(state) {
      for (const at of state.clients.keys()) yield* clientSteps(state, at, mistake);
      for (const at of state.daemons.keys()) yield* daemonSteps(state, at);
      yield* clockSteps(state);
    },
    broken({ daemons: all }) {
      const running = all.filter((daemon) => daemon === 'starts' || daemon === 'listens');
      return running.length > 1 ? 'at most one daemon starts or listens at a time' : undefined;
    },
  };
}

type Step = readonly [string, State];
const put = <Item>(items: readonly Item[], at: number, item: Item): Item[] =>
  items.map((other, index) => (index === at ? item : other));
const withClient = (state: State, at: number, change: Partial<Client>): State => ({
  ...state,
  clients: put(state.clients, at, { ...(state.clients[at] as Client), ...change }),
});
const withLock = (state: State, period: number, owner: number | null): State => ({
  ...state,
  locks: put(state.locks, period, owner),
});

function* clientSteps(state: State, at: number, mistake: Mistake | undefined): Generator<Step> {
  const client = state.clients[at] as Client;
  const { does, period } = client;
  const name = `client ${at}`;
  if (does === 'ended') return;
  yield [`${name} crashes or gives up`, withClient(state, at, { does: 'ended' })];
  const daemonListens = state.daemons.includes('listens');
  /** The client removes its own lock, if it is still there. */
  const released = state.locks[period] === at ? withLock(state, period, null) : state;
  const earlier = state.locks[period - 1] ?? null;

  switch (does) {
    case 'connects':
      if (daemonListens) yield [`${name} is connected`, withClient(state, at, { does: 'ended' })];
      else
        yield [
          `${name} finds no daemon and reads the clock`,
          withClient(state, at, {
            does:
              mistake === 'there is no lock' ? 'starts the daemon' : 'looks for a lock of the period before',
            period: state.now,
          }),
        ];
      return;
    case 'looks for a lock of the period before':
      if (earlier === null || mistake === 'a client does not look for a lock of the period before')
        yield [
          `${name} finds no lock of the period before`,
          withClient(state, at, { does: 'makes its lock' }),
        ];
      else yield [`${name} finds a lock of the period before`, withClient(state, at, { does: 'connects' })];
      return;
    case 'makes its lock':
      if (state.locks[period] === null)
        yield [
          `${name} makes its lock`,
          withClient(withLock(state, period, at), at, { does: 'checks its lock' }),
        ];
      else if (mistake === 'a client removes a lock that another one made')
        yield [
          `${name} replaces a lock`,
          withClient(withLock(state, period, at), at, { does: 'checks its lock' }),
        ];
      else yield [`${name} finds a lock`, withClient(state, at, { does: 'connects' })];
      return;
    case 'checks its lock': {
      const isLate = state.now !== period && mistake !== 'a client does not read the clock again';
      const isSecond =
        earlier !== null && mistake !== 'a client does not look for a lock of the period before';
      if (isLate || isSecond)
        yield [`${name} removes its lock and waits`, withClient(released, at, { does: 'connects' })];
      else if (mistake === 'a client does not connect once more when it has its lock')
        yield [`${name} has the lock`, withClient(state, at, { does: 'starts the daemon' })];
      else yield [`${name} has the lock`, withClient(state, at, { does: 'connects once more' })];
      return;
    }
    case 'connects once more':
      if (daemonListens)
        yield [`${name} removes its lock and is connected`, withClient(released, at, { does: 'ended' })];
      else yield [`${name} still finds no daemon`, withClient(state, at, { does: 'starts the daemon' })];
      return;
    case 'starts the daemon': {
      const daemon = state.daemons.indexOf('does not run');
      if (daemon === -1) return;
      const started = {
        ...state,
        daemons: put(state.daemons, daemon, 'starts'),
        startedIn: put(state.startedIn, daemon, period),
      };
      yield [
        `${name} starts daemon ${daemon}`,
        withClient(started, at, { does: 'watches its daemon', daemon }),
      ];
      return;
    }
    case 'watches its daemon':
      // It saw the daemon end, so it runs the event directly; a client starts no second one.
      if (state.daemons[client.daemon] === 'has ended')
        yield [
          `${name} removes its lock because its daemon has ended`,
          withClient(released, at, { does: 'ended' }),
        ];
      return;
  }
}

function* daemonSteps(state: State, at: number): Generator<Step> {
  const daemon = state.daemons[at];
  if (daemon !== 'starts' && daemon !== 'listens') return;
  yield [`daemon ${at} crashes`, { ...state, daemons: put(state.daemons, at, 'has ended') }];
  if (daemon === 'starts')
    yield [`daemon ${at} listens`, { ...state, daemons: put(state.daemons, at, 'listens') }];
  else if (state.locks.some((lock) => lock !== null))
    yield [`daemon ${at} removes all locks`, { ...state, locks: state.locks.map(() => null) }];
}

function* clockSteps(state: State): Generator<Step> {
  if (state.now + 1 >= state.locks.length) return;
  const isInTime =
    state.clients.every(
      ({ does, period }) =>
        !['connects once more', 'starts the daemon'].includes(does) || period === state.now,
    ) && state.daemons.every((daemon, at) => daemon !== 'starts' || state.startedIn[at] === state.now);
  if (isInTime) yield ['a period ends', { ...state, now: state.now + 1 }];
}
