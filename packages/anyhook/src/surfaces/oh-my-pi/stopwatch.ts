/** A handler's time. It stands still while a person is being asked. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { clampMs } from '../../runners/deadline.ts';

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
export async function timed<T>(work: () => T | PromiseLike<T>, terms: TimeLimit): Promise<T> {
  const { timeoutMs, signal: outer, who } = terms;
  outer?.throwIfAborted();
  const own = new AbortController();
  const watch = startWatch(timeoutMs, own, () => {
    own.abort(new DOMException(`${who} did not answer within ${timeoutMs} ms`, 'TimeoutError'));
  });
  const giveUp = () => own.abort(outer?.reason);
  outer?.addEventListener('abort', giveUp, { once: true });
  try {
    const ended = new Promise<never>((_, reject) => {
      own.signal.addEventListener('abort', () => reject(own.signal.reason as Error), { once: true });
    });
    const value = running.run(beside(watch, terms.pause), work);
    return await Promise.race([value, ended]);
  } finally {
    watch.stop();
    outer?.removeEventListener('abort', giveUp);
  }
}

/** Both stand still together. */
function beside(watch: Stopwatch, pause: TimeLimit['pause']): Stopwatch {
  if (pause === undefined) return watch;
  return {
    signal: watch.signal,
    pause() {
      const [own, other] = [watch.pause(), pause()];
      return () => {
        own();
        other();
      };
    },
  };
}

function startWatch(timeoutMs: number, { signal }: AbortController, late: () => void) {
  let left = clampMs(timeoutMs);
  let since = performance.now();
  let timer: NodeJS.Timeout | undefined = setTimeout(late, left);
  let dialogs = 0;
  let isStopped = false;
  const halt = () => {
    clearTimeout(timer);
    timer = undefined;
  };
  return {
    signal,
    pause() {
      let isOver = false;
      if (dialogs++ === 0) {
        halt();
        left -= performance.now() - since;
      }
      return () => {
        if (isOver) return;
        isOver = true;
        if (--dialogs > 0 || isStopped) return;
        since = performance.now();
        timer = setTimeout(late, Math.max(0, left));
      };
    },
    stop() {
      isStopped = true;
      halt();
    },
  };
}
