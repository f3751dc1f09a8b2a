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
export const fireAfterPromise = (
  fire: FireInWaiting,
  first: number,
  value: PromiseLike<unknown>,
): Promise<Ruling> => new Promise((resolve) => new HooksInTurn(fire, first, resolve).follow(value));

/** A class, as one of its two functions is all that each promise is handed: eight closures per fire would cost as much as a hook. */
class HooksInTurn implements DeadlineSlot {
  deadline = 0;
  before: DeadlineSlot | undefined;
  after: DeadlineSlot | undefined;
  readonly #fire: FireInWaiting;
  readonly #resolve: (ruling: Ruling | Promise<Ruling>) => void;
  #at: number;
  #isOver = false;
  readonly #heard = (said: unknown): void => this.#goOnAfter(said);
  readonly #failed = (error: unknown): void => this.#finish({ silent: this.#at, reply: threw(error) });

  constructor(fire: FireInWaiting, first: number, resolve: (ruling: Ruling | Promise<Ruling>) => void) {
    this.#fire = fire;
    this.#at = first;
    this.#resolve = resolve;
    fire.signal?.addEventListener('abort', this, { once: true });
    watch(this, fire.way.timeouts[first]!);
  }
  /** As `await` does, which looks at no `then` that somebody has put on a real promise; its loop would be a tenth slower. */
  follow(value: PromiseLike<unknown>): void {
    try {
      void Reflect.apply(then, Promise.resolve(value), [this.#heard, this.#failed]);
    } catch (error) {
      this.#failed(error);
    }
  }
  expire(): void {
    this.#break('timed-out');
  }
  /** The host gave up. */
  handleEvent(): void {
    this.#break('aborted');
  }
  #goOnAfter(first: unknown): void {
    const { way, shown, host } = this.#fire;
    const { calls, timeouts } = way;
    try {
      for (let said = first; !this.#isOver;) {
        if (said !== undefined) return this.#finish({ silent: this.#at, reply: returned(said) });
        const at = ++this.#at;
        if (at >= timeouts.length) return this.#finish(null);
        move(this, timeouts[at]!);
        said = calls.one(at, shown, host);
        if (isThenable(said)) return this.follow(said);
      }
    } catch (error) {
      this.#failed(error);
    }
  }
  #break(kind: 'timed-out' | 'aborted'): void {
    if (!this.#isOver) HostView.end(this.#fire.host, kind);
    this.#finish({ silent: this.#at, reply: { kind: 'broken', why: { kind } } });
  }
  #finish(progress: FireProgress | null): void {
    if (this.#isOver) return;
    this.#isOver = true;
    unwatch(this);
    const { signal, quiet, goOn } = this.#fire;
    signal?.removeEventListener('abort', this);
    this.#resolve(progress === null ? quiet() : goOn(progress));
  }
}

const { then } = Promise.prototype;
