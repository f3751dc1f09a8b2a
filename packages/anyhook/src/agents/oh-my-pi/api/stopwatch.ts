/** Measures a handler's time, and pauses while the user is asked. */

import { AsyncLocalStorage } from 'node:async_hooks';
import { NEVER } from '../../../events/signal.ts';
import { LazyAbort } from '../../../runners/lazy-abort.ts';
import { PausedWait } from '../../../runners/paused-wait.ts';

export interface Stopwatch {
  /** Aborts at the deadline or when the host gives up, which closes open dialogs. */
  readonly signal: AbortSignal;
  /** Pauses until the returned function is called. */
  pause(): () => void;
}
export interface TimeLimit {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** The name of the handler for the timeout message. */
  readonly who: string;
  /** Pauses another timer together with this one. */
  readonly pause?: () => () => void;
}

const running = new AsyncLocalStorage<Stopwatch>();

/** The stopwatch of the calling handler, even in nested calls; undefined outside of handlers. */
export const currentWatch = (): Stopwatch | undefined => running.getStore();

/**
 * Resolves with the result of `work`, or rejects at the deadline or when the host gives up. Later results are dropped.
 */
export function timed<T>(work: () => T | PromiseLike<T>, terms: TimeLimit): Promise<Awaited<T>> {
  const { timeoutMs, signal: outer = NEVER, who } = terms;
  return new Promise((resolve, reject) => {
    if (outer.aborted) return reject(outer.reason as Error);
    const abort = new LazyAbort();
    const clock = new PausedWait({ timeoutMs, signal: outer }, (why) => {
      const late = `${who} did not answer within ${timeoutMs} ms`;
      const reason: unknown = why === 'aborted' ? outer.reason : new DOMException(late, 'TimeoutError');
      abort.abort(reason);
      reject(reason as Error);
    });
    const run = async (): Promise<void> => {
      try {
        resolve(await running.run(beside(new Watch(abort, clock), terms.pause), work));
      } catch (error) {
        reject(error as Error); // rethrown unchanged
      } finally {
        clock.release();
      }
    };
    void run();
  });
}

class Watch implements Stopwatch {
  readonly #abort: LazyAbort;
  readonly #clock: PausedWait;
  constructor(abort: LazyAbort, clock: PausedWait) {
    this.#abort = abort;
    this.#clock = clock;
  }
  get signal(): AbortSignal {
    return this.#abort.signal;
  }
  pause(): () => void {
    return this.#clock.pause();
  }
}

/** Pauses both together. */
function beside(watch: Stopwatch, pause: TimeLimit['pause']): Stopwatch {
  if (pause === undefined) return watch;
  return {
    get signal() {
      return watch.signal;
    },
    pause() {
      const [own, other] = [watch.pause(), pause()];
      return () => {
        own();
        other();
      };
    },
  };
}
