/**
 * Goes on with the hooks of the synchronous path after one of them returned a promise: one deadline slot per fire, whatever
 * the number of hooks.
 */
import type { Event } from '../canon/event.ts';
import type { Ruling } from '../canon/outcome.ts';
import type { FireProgress, SynchronousPath } from './synchronous.ts';
import { HostView } from './host-view.ts';
import { isThenable, returned, threw } from './replies.ts';
import { move, unwatch, watch, type DeadlineSlot } from './watch.ts';

export interface FireInWaiting {
  readonly way: SynchronousPath;
  readonly signal: AbortSignal | undefined;
  /** Goes on with the full fire. */
  readonly goOn: (progress: FireProgress) => Promise<Ruling>;
  readonly shown: Event;
  readonly host: HostView;
  /** The outcome when nobody says anything. */
  readonly quiet: () => Ruling;
}

/** A hook that hangs is left behind at its deadline; what it says later is dropped. */
export function fireAfterPromise(
  { way: { calls, timeouts }, signal, goOn, shown, host, quiet }: FireInWaiting,
  first: number,
  value: PromiseLike<unknown>,
): Promise<Ruling> {
  return new Promise((resolve) => {
    let at = first;
    let over = false;
    const finish = (progress: FireProgress | null): void => {
      if (over) return;
      over = true;
      unwatch(slot);
      signal?.removeEventListener('abort', abort);
      resolve(progress === null ? quiet() : goOn(progress));
    };
    const broke = (kind: 'timed-out' | 'aborted'): void => {
      if (!over) HostView.end(host, kind);
      finish({ silent: at, reply: { kind: 'broken', why: { kind } } });
    };
    const slot: DeadlineSlot = { deadline: 0, expire: () => broke('timed-out') };
    const abort = (): void => broke('aborted');
    signal?.addEventListener('abort', abort, { once: true });
    watch(slot, timeouts[at]!);
    const failed = (error: unknown): void => finish({ silent: at, reply: threw(error) });
    const heard = (first: unknown): void => {
      try {
        for (let said = first; !over;) {
          if (said !== undefined) return finish({ silent: at, reply: returned(said) });
          if (++at >= timeouts.length) return finish(null);
          move(slot, timeouts[at]!);
          said = calls.one(at, shown, host);
          if (isThenable(said)) return follow(said, heard, failed);
        }
      } catch (error) {
        failed(error);
      }
    };
    follow(value, heard, failed);
  });
}

const { then } = Promise.prototype;

/** As `await` does, which looks at no `then` that somebody has put on a real promise; its loop would be a tenth slower. */
function follow(
  value: PromiseLike<unknown>,
  heard: (said: unknown) => void,
  failed: (error: unknown) => void,
): void {
  try {
    void Reflect.apply(then, Promise.resolve(value), [heard, failed]);
  } catch (error) {
    failed(error);
  }
}
