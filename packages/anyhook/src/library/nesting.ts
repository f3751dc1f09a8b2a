/**
 * Limits for hooks that fire events. A hook that fires the call it is judging would wait for itself. Other events may be nested
 * up to a depth limit.
 */

import type { EventInput } from '../events/event.ts';

const MAX_DEPTH = 8;
/** A hook that fires after an `await` does not count towards the depth. This limit on concurrent events ends such a loop. */
const MAX_UNDER_WAY = 10_000;

export class Nesting {
  readonly #calls = new Set<string>();
  #depth = 0;
  #underWay = 0;

  /** Returns why the event is not fired, or an empty string. In that case, call `leave` when the event is over. */
  enter(input: EventInput): string {
    if (this.#depth >= MAX_DEPTH) return `hooks fired from within hooks, ${this.#depth} levels deep`;
    if (this.#underWay >= MAX_UNDER_WAY) return `${this.#underWay} events are under way at once`;
    const call = input.ids?.call;
    if (call !== undefined) {
      const key = keyOf(input);
      if (this.#calls.has(key)) return `hooks are being asked about this very ${input.name} (${call})`;
      this.#calls.add(key);
    }
    this.#underWay++;
    return '';
  }
  leave(input: EventInput): void {
    this.#underWay--;
    if (input.ids?.call !== undefined) this.#calls.delete(keyOf(input));
  }
  /** Events that `callHooks` fires before it returns are one level deeper. Events fired after an `await` are not. */
  deeper<T>(callHooks: () => T): T {
    this.#depth++;
    try {
      return callHooks();
    } finally {
      this.#depth--;
    }
  }
}

const keyOf = ({ name, ids }: EventInput): string =>
  `${name}\0${ids?.session ?? ''}\0${ids?.agent ?? ''}\0${ids?.call ?? ''}`;
