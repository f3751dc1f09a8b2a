/** The one event that all `direct` hooks of a fire are shown: nobody can write to it, and nobody pays before looking. */
import { isPlain } from '../canon/changes.ts';
import type { Event } from '../canon/event.ts';

export class FrozenEvent {
  readonly #event: Event;
  #payload: unknown;
  #raw: unknown;

  constructor(event: Event) {
    this.#event = event;
  }
  get name() {
    return this.#event.name;
  }
  get payload() {
    return (this.#payload ??= frozenCopy(this.#event.payload)) as Event['payload'];
  }
  get raw() {
    return (this.#raw ??= frozenCopy(this.#event.raw));
  }
  get ids() {
    return this.#event.ids;
  }
  get scene() {
    return this.#event.scene;
  }
  get native() {
    return this.#event.native;
  }
  get round() {
    return this.#event.round;
  }
  toJSON() {
    const { name, payload, ids, scene, native, round } = this.#event;
    return { name, payload, ids, scene, native, round };
  }
}

/** Plain data is copied and frozen, so that the host's own objects stay as they are; the rest goes by reference. */
export function frozenCopy(value: unknown, met = new Map<object, unknown>()): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const before = met.get(value);
  if (before !== undefined) return before;
  if (Array.isArray(value)) {
    const copy: unknown[] = [];
    met.set(value, copy);
    for (const item of value) copy.push(frozenCopy(item, met));
    return Object.freeze(copy);
  }
  if (!isPlain(value)) return value;
  const copy = Object.create(Object.getPrototypeOf(value) as object | null) as Record<string, unknown>;
  met.set(value, copy);
  for (const key of Object.keys(value))
    Object.defineProperty(copy, key, { value: frozenCopy(value[key], met), enumerable: true });
  return Object.freeze(copy);
}
