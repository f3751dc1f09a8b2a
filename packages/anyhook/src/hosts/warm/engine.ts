/**
 * The warm engine: takes events from the clients that agents start, and hands each to the process of its session, where hooks
 * and modules are open already. It decides nothing and remembers nothing that the disk does not say: whatever it does not take
 * is answered by the cold way.
 */
import { existsSync, unlinkSync } from 'node:fs';
import type { Socket } from 'node:net';
import { type ClientLine, hearClient, payloadIn, sayAnswer, type SeenClient } from './client-line.ts';
import { type ClientProcess, clientProcess } from './client-process.ts';
import { directTo } from './direct-line.ts';
import type { EnginePlaces } from './places.ts';
import { type DirectlyTaken, SessionProcess } from './session.ts';
import { agentSession, sessionKey } from './session-key.ts';
import type { SessionAnswer } from './session-messages.ts';
import { claim, keptBy, sweepSpool, TAKEN_ENDING } from './spool.ts';
import { unheardAnswer } from './unheard.ts';
import { againIn, headIn, type WarmRequest } from './wire.ts';

export interface EngineStatus {
  readonly pid: number;
  readonly build: string;
  readonly sessions: number;
  readonly events: number;
  readonly rssBytes: number;
}

const MOST_SESSIONS = 8;
/** Of one session: if it shows a new environment with every event, it gains nothing here. */
const MOST_STARTS_A_MINUTE = 12;
const SESSION_IDLE_MS = 10 * 60_000;
/** For a client that lost the line, and asks again. */
const KEEP_ANSWER_MS = 10_000;
/** Past its own deadline: a session's process that does not even say so is stuck. */
const GRACE_MS = 2000;

export interface EngineServerOptions {
  readonly places: EnginePlaces;
  readonly build: string;
  /** Is this engine still that of the program by which its client would answer otherwise? */
  readonly isCurrent: (bin: string) => boolean;
  /** Nothing more is to be done here. */
  readonly onOver: () => void;
}

export function makeEngineServer({ places, build, isCurrent, onOver }: EngineServerOptions) {
  const sessions = new Map<string, SessionProcess>();
  /** What was taken, by the client's pid. */
  const answers = new Map<number, Promise<SessionAnswer>>();
  /** When processes were started for an agent's session, within the last minute. */
  const starts = new Map<string, readonly number[]>();
  let events = 0;
  let lastEventMs = performance.now();

  const keptOf = (pid: number): string => keptBy(places.spool, pid);
  /** Whose process hears an agent's events by itself. */
  const direct = new Map<number, SessionProcess>();

  /** For the events to come: this one goes the cold way. */
  function openSession(request: WarmRequest, client: ClientProcess | undefined): void {
    if (client === undefined) return;
    const { argv, text } = request;
    const key = sessionKey(client, text);
    if (sessions.has(key)) return;
    if (!mayStart(agentSession(client, text))) return;
    makeRoom();
    const session: SessionProcess = new SessionProcess(client, {
      engine: [places.folder, build],
      keptBy: keptOf,
      onTook: (event) => void tookDirectly(session, event),
      onOver() {
        sessions.delete(key);
        withdraw(session);
      },
    });
    sessions.set(key, session);
    void session.ask({ argv, text, kept: NOBODYS }); // opens its hooks, and starts none
  }
  function mayStart(session: string): boolean {
    const now = performance.now();
    for (const [one, times] of starts) {
      const recent = times.filter((at) => now - at < 60_000);
      if (recent.length === 0) starts.delete(one);
      else starts.set(one, recent);
    }
    const times = starts.get(session) ?? [];
    if (times.length >= MOST_STARTS_A_MINUTE) return false;
    starts.set(session, [...times, now]);
    return true;
  }
  /** What this process hears by itself from now on is this agent's alone. */
  function connectDirectly(session: SessionProcess, agent: number, key: string): void {
    if (!session.listenTo(agent, key)) return;
    withdraw(session, agent);
    direct.set(agent, session);
  }
  function withdraw(session: SessionProcess, besides?: number): void {
    for (const [agent, one] of direct)
      if (one === session && agent !== besides) {
        direct.delete(agent);
        forget(directTo(places, agent));
      }
  }
  /** It is answered there; kept in mind is what is needed should the client, or that process, be lost. */
  async function tookDirectly(session: SessionProcess, { pid, argv, answer }: DirectlyTaken): Promise<void> {
    lastEventMs = performance.now();
    const said = settled(session, argv, answer);
    answers.set(pid, said);
    await ended(pid, said);
  }
  /** Who was not heard of the longest goes first. */
  function makeRoom(): void {
    const idle = [...sessions.values()].toSorted((a, b) => a.lastUsedMs - b.lastUsedMs);
    for (const session of idle.slice(0, Math.max(0, sessions.size - MOST_SESSIONS + 1))) session.retire();
  }

  /** What else is said than an event. */
  function serveOther(line: ClientLine, bytes: string): void {
    const again = answers.get(againIn(bytes) ?? 0);
    if (again !== undefined) void sayAnswer(line, again);
    else line.end(bytes === 'anyhook 1 status\n' ? `${JSON.stringify(status())}\n` : 'cold');
  }
  async function serve(
    line: ClientLine,
    request: WarmRequest,
    client: ClientProcess | undefined,
  ): Promise<void> {
    if (!isCurrent(request.bin)) {
      line.end('cold');
      // Only a client that is one makes it go: anybody can write the name of another program.
      if (client !== undefined) onOver();
      return;
    }
    lastEventMs = performance.now();
    if (client === undefined) return void line.end('cold');
    const key = sessionKey(client, request.text);
    const session = sessions.get(key);
    const unheard = session === undefined ? unheardAnswer(request, client) : undefined;
    if (session === undefined && unheard === undefined) {
      openSession(request, client);
      return void line.end('cold');
    }
    const kept = keptOf(request.pid);
    if (session === undefined && !claim(kept, TAKEN_ENDING)) return void line.end('cold');
    const answer =
      session === undefined
        ? Promise.resolve({ code: 0, stdout: unheard!, stderr: '' })
        : answerBy(session, request, client, kept);
    answers.set(request.pid, answer);
    await sayAnswer(line, answer);
    await ended(request.pid, answer);
    if (session !== undefined && typeof (await answer) === 'object')
      connectDirectly(session, request.parent, key);
  }
  /** Its client has been told; it may have lost the line. */
  async function ended(pid: number, answer: Promise<SessionAnswer>): Promise<void> {
    if (typeof (await answer) === 'object') {
      events += 1;
      forget(`${keptOf(pid)}${TAKEN_ENDING}`);
    }
    setTimeout(() => {
      if (answers.get(pid) === answer) answers.delete(pid);
    }, KEEP_ANSWER_MS).unref();
  }
  async function answerBy(
    session: SessionProcess,
    request: WarmRequest,
    { trace }: ClientProcess,
    kept: string,
  ): Promise<SessionAnswer> {
    const { argv, text } = request;
    const answer = await settled(session, argv, session.ask({ argv, text, kept, trace }));
    if (session.isOver) setImmediate(() => openSession(request, clientProcess(request))); // as the disk is now, for the next event
    return answer;
  }
  /** A process that does not come back in time is given up. */
  async function settled(
    session: SessionProcess,
    argv: readonly string[],
    answer: Promise<SessionAnswer>,
  ): Promise<SessionAnswer> {
    const said = await within(deadlineIn(argv) + GRACE_MS, answer);
    if (said === 'lost') session.kill();
    return said;
  }
  const status = (): EngineStatus => ({
    pid: process.pid,
    build,
    sessions: sessions.size,
    events,
    rssBytes: process.memoryUsage.rss(),
  });

  /** `seen`: what was found out when the first of it came. */
  function receive(line: ClientLine, all: Buffer, seen?: SeenClient): void {
    const head = seen?.head ?? headIn(all); // it may have come in pieces
    if (head === undefined) return serveOther(line, all.toString());
    const text = payloadIn(all, head);
    if (text === undefined) line.end('cold'); // what is wrong with it is said by the cold way
    else serve(line, { ...head, text }, seen?.client ?? clientProcess(head)).catch(() => line.destroy());
  }

  return {
    accept(socket: Socket): void {
      hearClient(socket, (all, seen) => receive(socket, all, seen));
    },
    /** Whole, from a client that asks by a file. */
    receive,
    /** For how long nothing has come. */
    idleMs: () => performance.now() - lastEventMs,
    rest(): void {
      for (const folder of [places.spool, places.asked]) sweepSpool(folder);
      for (const session of sessions.values())
        if (session.inFlight === 0 && performance.now() - session.lastUsedMs > SESSION_IDLE_MS)
          session.retire();
      // Nothing more comes for the session of an agent that has ended.
      for (const [agent, session] of direct) if (!existsSync(`/proc/${agent}`)) session.retire();
    },
    /** What is under way is answered. */
    async close(): Promise<void> {
      const all = [...sessions.values()];
      for (const session of all) session.retire();
      while (all.some(({ inFlight }) => inFlight > 0))
        await new Promise((resolve) => setTimeout(resolve, 50));
    },
  };
}

/** For a client whose payload the engine has no business with: nothing lies there that could be taken. */
const NOBODYS = '';

/** What the client has kept is not needed any more. */
function forget(kept: string): void {
  try {
    unlinkSync(kept);
  } catch {
    // the spool is swept now and then
  }
}

const deadlineIn = (argv: readonly string[]): number => {
  const at = argv.indexOf('--deadline-ms');
  return at === -1 ? 600_000 : Number(argv[at + 1]);
};

async function within<T>(ms: number, promise: Promise<T>): Promise<T | 'lost'> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'lost'>((resolve) => (timer = setTimeout(() => resolve('lost'), ms)));
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
