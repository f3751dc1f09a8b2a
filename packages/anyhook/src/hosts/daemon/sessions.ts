/** All agent sessions of one daemon, and which of them answers an event. */
import { ancestors, type AncestorMemory } from '../../assembly/ancestors.ts';
import { nestingOf } from '../../assembly/depth-limit.ts';
import { ModulesNeedProcess } from '../../assembly/modules-need-process.ts';
import type { NativeOutput } from '../console/speak.ts';
import { UsageError } from '../console/usage.ts';
import { safe } from '../../views/safe.ts';
import { answerProcessEnd, type FireRequest, fireRequest } from '../fire/answer.ts';
import { type BridgeArguments, bridgeArguments } from '../fire/bridge-arguments.ts';
import type { ClientEvent } from './frames.ts';
import { SessionHooks } from './session-hooks.ts';
import { SessionProcess } from './session-process.ts';

const MAX_SESSIONS = 64;
const MAX_PROCESSES = 8;
const IDLE_MS = 10 * 60_000;
/** How many times a changed file may restart the process of a session before one event is given up. */
const MAX_RESTARTS = 3;
/** Past its deadline an event is not answered any more. */
const GRACE_MS = 2000;

/** Exit code for wrong use from a bridge: to an agent, 2 would be a refusal. */
const EXIT_USAGE = 64;

interface Session {
  readonly hooks: SessionHooks;
  /** Where its modules run, if it has any. */
  process?: SessionProcess;
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
  readonly #ancestors: AncestorMemory = new Map();

  get size(): number {
    return this.#open.size;
  }

  /** Never rejects. */
  async answer(event: ClientEvent): Promise<EventAnswer> {
    const receivedMs = performance.now();
    try {
      const nesting = nestingOf(event.env, ancestors(event.parent, this.#ancestors));
      const env = { ...event.env, ...nesting } as Readonly<Record<string, string>>; // `nestingOf` sets no variable to undefined
      const caller = { env, cwd: event.cwd };
      const args = bridgeArguments(event.args, caller);
      const text = event.stdin.toString();
      const request = fireRequest(args, text, caller);
      if (request.isAskedElsewhere) return { code: 0, stdout: '', stderr: '' };
      // What the client has spent before it sent the event counts as well.
      const startedMs = receivedMs - Math.max(0, args.deadlineMs - event.leftMs);
      return await within(
        args,
        this.#answerInSession({ ...caller, args: event.args, request, text, startedMs }),
      );
    } catch (error) {
      const { message } = error as Error;
      if (!(error instanceof UsageError)) return { failed: `of an error in the daemon: ${safe(message)}` };
      return { code: EXIT_USAGE, stdout: '', stderr: `anyhook: ${safe(message)}\n` };
    }
  }

  async #answerInSession(pending: PendingEvent): Promise<NativeOutput> {
    const { request, startedMs } = pending;
    const key = sessionKey(request);
    const session = this.#sessionFor(key);
    try {
      if (session.process === undefined)
        try {
          return await session.hooks.answer(request, startedMs);
        } catch (error) {
          if (!(error instanceof ModulesNeedProcess)) throw error;
        }
      return await this.#answerInProcess(session, pending);
    } finally {
      session.lastUsedMs = performance.now();
      // The agent will not come back to it soon, and every open session takes memory.
      if (request.event.name === 'session.end') this.#close(key);
    }
  }

  async #answerInProcess(session: Session, pending: PendingEvent): Promise<NativeOutput> {
    const { request, startedMs, args, cwd, env, text } = pending;
    for (let restarts = 0; restarts <= MAX_RESTARTS; restarts++) {
      if (session.process === undefined || session.process.isEnded) {
        this.#makeRoomForProcess();
        session.process = new SessionProcess({ cwd, env });
      }
      const { process } = session;
      const spentMs = performance.now() - startedMs;
      const reply = await process.answer({ args, cwd, env, text, spentMs });
      if (typeof reply === 'object') return reply;
      if (session.process === process) delete session.process;
      if (reply === 'ended') return answerProcessEnd(request);
      process.close();
    }
    throw new Error('the files of these hooks keep changing');
  }

  #sessionFor(key: string): Session {
    const known = this.#open.get(key);
    if (known !== undefined) return known;
    const idle = this.#leastRecentlyUsed().filter(([, session]) => inFlight(session) === 0);
    for (const [old] of idle.slice(0, Math.max(0, this.#open.size - MAX_SESSIONS + 1))) this.#close(old);
    const session: Session = {
      hooks: new SessionHooks({ refuseImports: true }),
      lastUsedMs: performance.now(),
    };
    this.#open.set(key, session);
    return session;
  }
  #makeRoomForProcess(): void {
    const withProcess = this.#leastRecentlyUsed().filter(([, { process }]) => process !== undefined);
    const idle = withProcess.filter(([, session]) => inFlight(session) === 0);
    for (const [key] of idle.slice(0, Math.max(0, withProcess.length - MAX_PROCESSES + 1))) this.#close(key);
  }
  #leastRecentlyUsed(): (readonly [string, Session])[] {
    return [...this.#open].toSorted(([, a], [, b]) => a.lastUsedMs - b.lastUsedMs);
  }

  closeIdle(): void {
    for (const [key, session] of this.#open)
      if (inFlight(session) === 0 && performance.now() - session.lastUsedMs > IDLE_MS) this.#close(key);
  }
  #close(key: string): void {
    const session = this.#open.get(key);
    this.#open.delete(key);
    session?.process?.close();
    void session?.hooks.close();
  }
  async close(): Promise<void> {
    const sessions = [...this.#open.values()];
    for (const { process } of sessions) process?.close();
    await Promise.all(sessions.map(({ hooks }) => hooks.close()));
  }
}

const inFlight = ({ hooks, process }: Session): number => hooks.inFlight + (process?.inFlight ?? 0);

/** What two sessions have in common if their hooks may share one set of modules and one environment. */
const sessionKey = ({ asked, event, project, left, env }: FireRequest): string =>
  JSON.stringify([asked.host, asked.dialect.name, asked.strict, project, left, event.ids.session, env]);

/** A session that does not answer in time is an event without an answer; its hooks have their own deadlines. */
function within({ deadlineMs }: BridgeArguments, answer: Promise<NativeOutput>): Promise<EventAnswer> {
  return new Promise((resolve, reject) => {
    const late = () => resolve({ failed: 'the event took longer than its deadline' });
    const timer = setTimeout(late, deadlineMs + GRACE_MS);
    answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
