/**
 * Assigns ids in registration order, one per callback across all matchers. Everything is synchronous, so there are no
 * races.
 */

import type { HookEvent } from '../dialect/hook-event.ts';
import type { HookEntry } from '../dialect/read-hooks.ts';
import type { RegisteredCallback } from './types.ts';

/** One matcher as described to the CLI in `initialize`. */
export interface RegisteredMatcher {
  readonly entry: HookEntry;
  readonly ids: readonly string[];
}

export class Registry {
  #next: number;
  readonly #callbacks = new Map<string, RegisteredCallback>();
  readonly #matchers: RegisteredMatcher[] = [];

  constructor(firstId: number) {
    if (!Number.isInteger(firstId) || firstId < 0)
      throw new RangeError(`firstId is ${firstId}; expected an integer of 0 or more`);
    this.#next = firstId;
  }

  add(entry: HookEntry): RegisteredCallback[] {
    const added = entry.callbacks.map((callback) => {
      const id = `hook_${this.#next++}`;
      return { id, event: entry.event, entry, callback };
    });
    for (const one of added) this.#callbacks.set(one.id, one);
    this.#matchers.push({ entry, ids: added.map(({ id }) => id) });
    return added;
  }

  get(id: string): RegisteredCallback | undefined {
    return this.#callbacks.get(id);
  }
  get size(): number {
    return this.#callbacks.size;
  }
  get matchers(): readonly RegisteredMatcher[] {
    return this.#matchers;
  }
  /** Event by id, in registration order. */
  get events(): Readonly<Record<string, HookEvent>> {
    return Object.fromEntries([...this.#callbacks.values()].map(({ id, event }) => [id, event]));
  }
}
