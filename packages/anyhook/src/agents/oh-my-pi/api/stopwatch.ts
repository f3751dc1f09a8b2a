/** A handler's time. It stands still while a person is being asked. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { NEVER } from '../../../events/signal.ts';
import { LazyAbort } from '../../../runners/lazy-abort.ts';
import { PausedWait } from '../../../runners/paused-wait.ts';

export interface Stopwatch {
  /** Aborts when the time is up or the host gives up: open dialogs close. */
  readonly signal: AbortSignal;
  /** Until what it returns is called. */
  pause(): () => void;
}
export interface TimeLimit {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Who ran out of time, for the message. */
  readonly who: string;
  /** Another clock that runs beside this one and stands still with it. */
  readonly pause?: () => () => void;
}

const running = new AsyncLocalStorage<Stopwatch>();

/** The watch of the handler that is calling, also from deep inside it; none outside of handlers. */
export const currentWatch = (): Stopwatch | undefined => running.getStore();

/** What `work` brings, or a rejection when time is up or the host gives up; what it brings later is dropped. */
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
        reject(error as Error); // as it was thrown, whatever it is
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

/** Both stand still together. */
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
