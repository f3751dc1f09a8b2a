/**
 * The warm engine: takes events from the clients that agents start, and hands each to the process of its session, where hooks
 * and modules are open already. It decides nothing and remembers nothing that the disk does not say: whatever it does not take
 * is answered by the cold way.
 */
import { isUtf8 } from 'node:buffer';
import { unlinkSync } from 'node:fs';
import type { Socket } from 'node:net';
import type { ClientLine } from './file-client.ts';
import { type ClientProcess, clientProcess } from './client-process.ts';
import type { EnginePlaces } from './places.ts';
import { type SessionAnswer, SessionProcess } from './session.ts';
import { claim, keptBy, sweepSpool, TAKEN_ENDING } from './spool.ts';
import { unheardAnswer } from './unheard.ts';
import {
  againIn,
  answerText,
  headIn,
  STILL_HERE,
  STILL_HERE_EVERY_MS,
  TAKEN,
  type WarmHead,
  type WarmRequest,
} from './wire.ts';

export interface EngineStatus {
  readonly pid: number;
  readonly build: string;
  readonly sessions: number;
  readonly events: number;
  readonly rssBytes: number;
}

/** A payload larger than this is nobody's event. */
export const LARGEST_EVENT_BYTES = 64 * 1024 * 1024;
const MOST_SESSIONS = 8;
/** A session that shows a new environment with every event gains nothing here. */
const MOST_STARTS_A_MINUTE = 12;
const SESSION_IDLE_MS = 10 * 60_000;
/** For a client that lost the line, and asks again. */
const KEEP_ANSWER_MS = 10_000;
/** Past its own deadline: a session's process that does not even say so is stuck. */
const GRACE_MS = 2000;

export interface EngineServerOptions {
  readonly places: Pick<EnginePlaces, 'spool' | 'asked'>;
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
  let starts: readonly number[] = [];
  let events = 0;
  let lastEventMs = performance.now();

  const keyOf = ({ text }: WarmRequest, { env, cwd }: ClientProcess): string =>
    JSON.stringify([env, cwd, sessionIn(text)]);

  /** For the events to come: this one goes the cold way. */
  function openSession(request: WarmRequest, client: ClientProcess | undefined): void {
    if (client === undefined) return;
    const { argv, text } = request;
    const key = keyOf(request, client);
    if (sessions.has(key)) return;
    const now = performance.now();
    starts = starts.filter((at) => now - at < 60_000);
    if (starts.length >= MOST_STARTS_A_MINUTE) return;
    starts = [...starts, now];
    makeRoom();
    const session = new SessionProcess(client, () => sessions.delete(key));
    sessions.set(key, session);
    void session.ask({ argv, text, kept: NOBODYS }); // opens its hooks, and starts none
  }
  /** Who was not heard of the longest goes first. */
  function makeRoom(): void {
    const idle = [...sessions.values()].toSorted((a, b) => a.lastUsedMs - b.lastUsedMs);
    for (const session of idle.slice(0, Math.max(0, sessions.size - MOST_SESSIONS + 1))) session.retire();
  }

  /** What else is said than an event. */
  function serveOther(line: ClientLine, bytes: string): void {
    const again = answers.get(againIn(bytes) ?? 0);
    if (again !== undefined) void say(line, again);
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
    const session = sessions.get(keyOf(request, client));
    const unheard = session === undefined ? unheardAnswer(request, client) : undefined;
    if (session === undefined && unheard === undefined) {
      openSession(request, client);
      return void line.end('cold');
    }
    const kept = keptBy(places.spool, request.pid);
    if (session === undefined && !claim(kept, TAKEN_ENDING)) return void line.end('cold');
    const answer =
      session === undefined
        ? Promise.resolve({ code: 0, stdout: unheard!, stderr: '' })
        : answerBy(session, request, client, kept);
    answers.set(request.pid, answer);
    await say(line, answer);
    if (typeof (await answer) === 'object') {
      events += 1;
      forget(`${kept}${TAKEN_ENDING}`);
    }
    setTimeout(() => {
      if (answers.get(request.pid) === answer) answers.delete(request.pid);
    }, KEEP_ANSWER_MS).unref();
  }
  /** That it is taken is known by the name of what the client kept; it is said besides where the answer does not come at once. */
  async function say(line: ClientLine, answer: Promise<SessionAnswer>): Promise<void> {
    let word = TAKEN;
    const beat = setInterval(() => {
      line.write(word);
      word = STILL_HERE;
    }, STILL_HERE_EVERY_MS);
    const text = answerText(await answer);
    clearInterval(beat);
    line.end(word === TAKEN ? `${TAKEN}${text}` : text);
  }
  async function answerBy(
    session: SessionProcess,
    request: WarmRequest,
    { trace }: ClientProcess,
    kept: string,
  ): Promise<SessionAnswer> {
    const { argv, text } = request;
    const answer = await within(deadlineIn(argv) + GRACE_MS, session.ask({ argv, text, kept, trace }));
    if (answer === 'lost') session.kill();
    if (session.isOver) setImmediate(() => openSession(request, clientProcess(request))); // as the disk is now, for the next event
    return answer;
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
    // What is wrong with it is said by the cold way.
    if (!isUtf8(all)) line.end('cold');
    else if (head === undefined) serveOther(line, all.toString());
    else {
      const request = { ...head, text: all.toString('utf8', head.length) };
      serve(line, request, seen?.client ?? clientProcess(head)).catch(() => line.destroy());
    }
  }

  return {
    accept(socket: Socket): void {
      let bytes: Buffer[] = [];
      let size = 0;
      /** Found out with the head: a payload comes a little later, by a program that has to start first. */
      let seen: SeenClient | undefined;
      socket.on('error', () => socket.destroy());
      socket.on('data', (chunk: Buffer) => {
        const head = size === 0 ? headIn(chunk) : undefined;
        if (head !== undefined) seen = { head, client: clientProcess(head) };
        bytes.push(chunk);
        if ((size += chunk.length) > LARGEST_EVENT_BYTES) socket.destroy();
      });
      socket.on('end', () => {
        const all = Buffer.concat(bytes);
        bytes = [];
        receive(socket, all, seen);
      });
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

interface SeenClient {
  readonly head: WarmHead;
  readonly client: ClientProcess | undefined;
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

/** Another session has its own modules: what they remember is of one session. */
const sessionIn = (text: string): string =>
  /"(?:session_?[iI][dD]|conversation_id)"\s*:\s*"([^"]{1,200})"/.exec(text.slice(0, 65_536))?.[1] ?? '';

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
