/** All agent sessions of one daemon, and which of them answers an event. */

import type { NativeOutput } from '../console/speak.ts';
import { UsageError } from '../console/usage.ts';
import { answerProcessEnd, type FireRequest, fireRequest } from '../fire/answer.ts';
import { type BridgeArguments, bridgeArguments } from '../fire/bridge-arguments.ts';
import { ModulesNeedProcess } from '../gather/modules-need-process.ts';
import { agentPidAmong } from '../gather/person.ts';
import { safe } from '../render/safe.ts';
import { ancestors, type AncestorMemory } from '../runs/ancestors.ts';
import { nestingOf } from '../runs/depth-limit.ts';
import type { ClientEvent } from './frames.ts';
import { environmentKey, SessionHooks } from './session-hooks.ts';
import { type SessionEnvironment, SessionProcess } from './session-process.ts';
import type { SpareProcess } from './spare-process.ts';

const MAX_SESSIONS = 64;
const MAX_PROCESSES = 8;
const IDLE_MS = 10 * 60_000;
/** Agents send events in parallel, so some arrive after the end of their session. */
const IDLE_AFTER_END_MS = 20_000;
const MAX_ENDED = 1000;
/** How many times a changed file may restart the process of a session before one event is given up. */
const MAX_RESTARTS = 3;
/** Past its deadline an event is not answered any more. */
const GRACE_MS = 2000;

/** Exit code for wrong use from a bridge: to an agent, 2 would be a refusal. */
const EXIT_USAGE = 64;

interface Session {
  readonly hooks: SessionHooks;
  /** Where its modules run, if it has any. A second one only for events at the same time with another environment. */
  processes: readonly SessionProcess[];
  lastUsedMs: number;
}

/** An event that is being answered. */
interface PendingEvent extends Pick<ClientEvent, 'args' | 'cwd' | 'env'> {
  readonly request: FireRequest;
  readonly text: string;
  /** When its deadline began, by `performance.now()`. */
  readonly startedMs: number;
}
/** `failed`: hooks may have run, and there is no answer. */
export type EventAnswer = NativeOutput | { readonly failed: string };

export class OpenSessions {
  readonly #open = new Map<string, Session>();
  readonly #ended = new Set<string>();
  readonly #ancestors: AncestorMemory = new Map();
  #spare: SpareProcess | undefined;

  constructor(spare: SpareProcess | undefined) {
    this.#spare = spare;
  }

  get size(): number {
    return this.#open.size;
  }

  /** Never rejects. */
  async answer(event: ClientEvent): Promise<EventAnswer> {
    const receivedMs = performance.now();
    try {
      const above = ancestors(event.parent, this.#ancestors);
      const nesting = nestingOf(event.env, above);
      const env = { ...event.env, ...nesting } as Readonly<Record<string, string>>; // `nestingOf` sets no variable to undefined
      const agent = agentPidAmong(above);
      const waiting = {
        ...(event.parent > 0 && { pid: event.parent }),
        ...(agent !== undefined && { agent }),
      };
      const caller = { env, cwd: event.cwd, waiting };
      const args = bridgeArguments(event.args, caller);
      const text = event.stdin.toString();
      const request = fireRequest(args, text, caller);
      if (request.isAskedElsewhere) return { code: 0, stdout: '', stderr: '' };
      // What the client has spent before it sent the event counts as well.
      const startedMs = receivedMs - Math.max(0, args.deadlineMs - event.leftMs);
      const pending = { ...caller, args: event.args, request, text, startedMs };
      return await within(args, this.#answerInSession(pending));
    } catch (error) {
      const { message } = error as Error;
      if (!(error instanceof UsageError)) return { failed: `of an error in the daemon: ${safe(message)}` };
      return { code: EXIT_USAGE, stdout: '', stderr: `anyhook: ${safe(message)}\n` };
    }
  }

  async #answerInSession(pending: PendingEvent): Promise<NativeOutput> {
    const { request, startedMs } = pending;
    const key = sessionKey(request);
    if (request.event.name === 'session.start') this.#ended.delete(key);
    const session = this.#sessionFor(key);
    try {
      session.processes = session.processes.filter(({ isEnded }) => !isEnded);
      this.#useSpare(session, pending);
      if (session.processes.length === 0)
        try {
          return await session.hooks.answer(request, startedMs);
        } catch (error) {
          if (!(error instanceof ModulesNeedProcess)) throw error;
        }
      return await this.#answerInProcess(session, pending);
    } finally {
      session.lastUsedMs = performance.now();
      // The agent will not come back to it soon, and every open session takes memory.
      if (request.event.name === 'session.end') this.#end(key);
      // It was closed while this event was on its way, which may have opened it again.
      if (this.#open.get(key) !== session) void closeSession(session);
    }
  }

  #useSpare(session: Session, pending: PendingEvent): void {
    const process = this.#spare?.takeFor(pending);
    this.#spare = undefined;
    if (process !== undefined) session.processes = [process];
  }

  async #answerInProcess(session: Session, pending: PendingEvent): Promise<NativeOutput> {
    const { request, startedMs, args, cwd, env, text } = pending;
    const { waiting } = request;
    const environment: SessionEnvironment = { env, cwd, key: environmentKey(request.env) };
    for (let restarts = 0; restarts <= MAX_RESTARTS; restarts++) {
      const process = this.#processFor(session, environment);
      const spentMs = performance.now() - startedMs;
      const reply = await process.answer({ args, cwd, env, text, spentMs, waiting }, environment);
      if (typeof reply === 'object') return reply;
      session.processes = session.processes.filter((other) => other !== process);
      if (reply === 'ended') return answerProcessEnd(request);
      process.close();
    }
    throw new Error('the files of these hooks keep changing');
  }

  #processFor(session: Session, environment: SessionEnvironment): SessionProcess {
    const known = session.processes.find((process) => process.canTake(environment));
    if (known !== undefined) return known;
    this.#makeRoomForProcess();
    const process = new SessionProcess(environment);
    session.processes = [...session.processes, process];
    return process;
  }

  #sessionFor(key: string): Session {
    const known = this.#open.get(key);
    if (known !== undefined) return known;
    const idle = this.#leastRecentlyUsed().filter(([, session]) => inFlight(session) === 0);
    for (const [old] of idle.slice(0, Math.max(0, this.#open.size - MAX_SESSIONS + 1))) this.#close(old);
    const session: Session = {
      hooks: new SessionHooks({ refuseImports: true, checksFiles: true }),
      processes: [],
      lastUsedMs: performance.now(),
    };
    this.#open.set(key, session);
    return session;
  }
  #makeRoomForProcess(): void {
    const withProcess = this.#leastRecentlyUsed().filter(([, { processes }]) => processes.length > 0);
    const idle = withProcess.filter(([, session]) => inFlight(session) === 0);
    for (const [key] of idle.slice(0, Math.max(0, withProcess.length - MAX_PROCESSES + 1))) this.#close(key);
  }
  #leastRecentlyUsed(): (readonly [string, Session])[] {
    return [...this.#open].toSorted(([, a], [, b]) => a.lastUsedMs - b.lastUsedMs);
  }

  closeIdle(): void {
    for (const [key, session] of this.#open) {
      const limitMs = this.#ended.has(key) ? IDLE_AFTER_END_MS : IDLE_MS;
      if (inFlight(session) === 0 && performance.now() - session.lastUsedMs > limitMs) this.#close(key);
    }
  }
  #end(key: string): void {
    this.#close(key);
    this.#ended.add(key);
    for (const old of [...this.#ended].slice(0, Math.max(0, this.#ended.size - MAX_ENDED)))
      this.#ended.delete(old);
  }
  #close(key: string): void {
    const session = this.#open.get(key);
    this.#open.delete(key);
    if (session !== undefined) void closeSession(session);
  }
  async close(): Promise<void> {
    this.#spare?.close();
    await Promise.all([...this.#open.values()].map(closeSession));
  }
}

/** Processes answer what they have first. */
function closeSession({ hooks, processes }: Session): Promise<void> {
  for (const process of processes) process.close();
  return hooks.close();
}

const inFlight = ({ hooks, processes }: Session): number =>
  processes.reduce((sum, process) => sum + process.inFlight, hooks.inFlight);

/** Without the environment: several agents add variables to some of their events, or change one at every prompt. */
const sessionKey = ({ asked, event, project }: FireRequest): string =>
  JSON.stringify([asked.host, asked.dialect.name, asked.strict, project, event.ids.session]);

/** A session that does not answer in time is an event without an answer; its hooks have their own deadlines. */
function within({ deadlineMs }: BridgeArguments, answer: Promise<NativeOutput>): Promise<EventAnswer> {
  return new Promise((resolve, reject) => {
    const late = () => resolve({ failed: 'the event took longer than its deadline' });
    const timer = setTimeout(late, deadlineMs + GRACE_MS);
    answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
