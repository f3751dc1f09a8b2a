import type { CommandRequest, Limit, Reply } from '../../events/exchange.ts';
import type { WayOf } from '../../events/hook.ts';
import { atExit } from '../at-exit.ts';
import type { Afterwards, JobRunner, AbortWatch } from './job.ts';
import { throughHelper } from './through-helper.ts';
import { Turns } from './turns.ts';
import { type JobTerms, writeJob } from './write-job.ts';

/** Aborts one run. Lighter than an `AbortController`, because few runs are ever aborted. */
class RunAbort implements AbortWatch {
  aborted = false;
  readonly #calls = new Set<() => void>();

  abort(): void {
    if (this.aborted) return;
    this.aborted = true;
    for (const call of this.#calls) call();
  }
  addEventListener(_type: 'abort', call: () => void): void {
    this.#calls.add(call);
  }
  removeEventListener(_type: 'abort', call: () => void): void {
    this.#calls.delete(call);
  }
}

const calls = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls back when the signal is aborted, and returns a function that removes the callback. Adds only one
 * listener per signal, so that hundreds of runs with the same signal do not cause a leak warning.
 */
function onAbort(signal: AbortSignal, call: () => void): () => void {
  const waiting = calls.get(signal) ?? listen(signal);
  waiting.add(call);
  return () => void waiting.delete(call);
}

function listen(signal: AbortSignal): Set<() => void> {
  const waiting = new Set<() => void>();
  calls.set(signal, waiting);
  signal.addEventListener('abort', () => waiting.forEach((call) => call()), { once: true });
  return waiting;
}

export interface CommandRunner {
  /** Never rejects or throws: every result is a reply. */
  run(way: WayOf<'command'>, request: CommandRequest, limit: Limit, how?: CommandHow): Promise<Reply>;
  /** Ends all runs except background ones, which finish by themselves. */
  close(): Promise<void>;
}
export interface CommandHow {
  /**
   * The host does not wait for the reply. The run continues under its own timeout if the host ends normally.
   */
  readonly background?: boolean;
  /** With `background`: the program that receives the result in the host's place. */
  readonly afterwards?: Afterwards;
  /** With `background`: runs of a queue are serialised in order of arrival, even after the host has ended. */
  readonly queue?: string;
}
export interface CommandOptions {
  /** A helper process shared by several runners, which do not close it. Default: one for this runner. */
  readonly helper?: JobRunner;
  /** Further runs wait; a deadline starts with its run. */
  readonly atOnce?: number;
  /** Time between TERM and KILL. */
  readonly graceMs?: number;
  /** In bytes. */
  readonly caps?: { readonly stdout?: number; readonly stderr?: number };
  /** The session's environment, read once. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** Runs command hooks. Does not interpret the result: exit code 2 is just a number here. */
export function openCommandRunner(options: CommandOptions = {}): CommandRunner {
  const helper = options.helper ?? throughHelper();
  const terms = termsOf(options);
  const turns = new Turns(positive('atOnce', options.atOnce ?? 32));
  const running = new Map<RunAbort, Promise<Reply>>();
  const takeBack = atExit(() => turns.beginKept());
  let isClosed = false;

  return {
    async run(way, request, limit, { background = false, afterwards, queue } = {}) {
      if (isClosed) return aborted('the runner is closed');
      if (limit.signal.aborted) return aborted('before it started');
      const ending = new RunAbort();
      const forget = onAbort(limit.signal, () => ending.abort());
      const begin = async () => {
        const job = {
          ...writeJob(way, request, limit, terms),
          ...(background && { outlives: true as const }),
          ...(background && afterwards && { afterwards }),
          ...(background && queue !== undefined && { queue }),
        };
        return helper.run(job, request.stdin, { signal: ending, awaited: !background });
      };
      const reply = turns
        .take(begin, { signal: ending, keeps: background })
        .then((answer) => answer ?? aborted('before it started'), notStarted);
      if (!background) running.set(ending, reply);
      await reply;
      running.delete(ending);
      forget();
      return reply;
    },
    async close() {
      isClosed = true;
      turns.beginKept();
      for (const ending of running.keys()) ending.abort();
      await Promise.all(running.values());
      takeBack();
      if (options.helper === undefined) await helper.close();
    },
  };
}

function termsOf({ graceMs = 2_000, caps = {}, env = process.env }: CommandOptions): JobTerms {
  return {
    graceMs: graceMs === 0 ? 0 : positive('graceMs', graceMs),
    caps: {
      stdout: positive('caps.stdout', caps.stdout ?? 1_048_576),
      stderr: positive('caps.stderr', caps.stderr ?? 65_536),
    },
    session: { ...env },
  };
}

function positive(name: string, value: number): number {
  if (Number.isSafeInteger(value) && value > 0) return value;
  throw new RangeError(`${name} must be a whole number above 0, not ${value}`);
}

const aborted = (detail: string): Reply => ({ kind: 'broken', why: { kind: 'aborted', detail } });
/** No error is known to get here; one would be reported as a hook that did not start. */
const notStarted = (error: Error): Reply => ({
  kind: 'broken',
  why: { kind: 'not-started', detail: error.message },
});
