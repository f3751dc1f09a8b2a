/** A deadline that can be paused while the user is asked. */

import type { Limit } from '../events/exchange.ts';
import { type EndedBy, release, wait } from './deadline.ts';

export class PausedWait {
  readonly #limit: Limit;
  readonly #end: (why: EndedBy) => void;
  #left: number;
  #waiting;
  #pauses = 0;
  #isOver = false;

  constructor(limit: Limit, end: (why: EndedBy) => void) {
    this.#limit = limit;
    this.#end = end;
    this.#left = limit.timeoutMs;
    this.#waiting = this.#wait(limit.timeoutMs);
  }

  /** Pauses the deadline until the returned function is called. An abort still counts. */
  pause(): () => void {
    if (this.#pauses++ === 0) {
      this.#left = this.#waiting.endsAt - performance.now();
      this.#rewind(Infinity);
    }
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      if (--this.#pauses === 0) this.#rewind(this.#left);
    };
  }
  release(): void {
    this.#isOver = true;
    release(this.#waiting);
  }

  #rewind(timeoutMs: number): void {
    if (this.#isOver) return;
    release(this.#waiting);
    this.#waiting = this.#wait(timeoutMs);
  }
  #wait(timeoutMs: number) {
    return wait({ timeoutMs, signal: this.#limit.signal }, (why) => {
      this.#isOver = true;
      this.#end(why);
    });
  }
}
