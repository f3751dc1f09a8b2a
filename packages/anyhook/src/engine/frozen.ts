/** The one event that all `direct` hooks of a fire are shown: nobody can write to it, and nobody pays before looking. */
import { isPlain } from '../canon/changes.ts';
import type { Event } from '../canon/event.ts';

export class FrozenEvent {
  readonly #event: Event;
  #payload: unknown;
  #raw: unknown;
  #frame: Pick<Event, 'ids' | 'scene' | 'native'> | undefined;

  constructor(event: Event) {
    this.#event = event;
    Object.freeze(this); // or one hook could put its own payload before those who come later
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
    return FrozenEvent.#frameOf(this).ids;
  }
  get scene() {
    return FrozenEvent.#frameOf(this).scene;
  }
  get native() {
    return FrozenEvent.#frameOf(this).native;
  }
  get round() {
    return this.#event.round;
  }
  toJSON() {
    const { name, payload, ids, scene, native, round } = this;
    return { name, payload, ids, scene, native, round };
  }
  static #frameOf(of: FrozenEvent) {
    if (of.#frame === undefined) {
      const { ids, scene, native } = of.#event;
      of.#frame = frozenCopy({ ids, scene, native }) as Pick<Event, 'ids' | 'scene' | 'native'>;
    }
    return of.#frame;
  }
}
Object.freeze(FrozenEvent.prototype);

/** Plain data is copied and frozen, so that the host's own objects stay as they are; the rest goes by reference. */
export const frozenCopy = (value: unknown): unknown => copy(value, Object.freeze, new Map());

/** Plain data anew: what a hook handed over cannot be changed by it afterwards. */
export const plainCopy = <T>(value: T): T => copy(value, (made) => made, new Map()) as T;

function copy(value: unknown, seal: (made: object) => object, met: Map<object, object>): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const before = met.get(value);
  if (before !== undefined) return before;
  if (Array.isArray(value)) {
    const made: unknown[] = [];
    met.set(value, made);
    for (const item of value) made.push(copy(item, seal, met));
    return seal(made);
  }
  if (!isPlain(value)) return value;
  const made = Object.create(Object.getPrototypeOf(value) as object | null) as Record<string, unknown>;
  met.set(value, made);
  for (const key of Object.keys(value))
    Object.defineProperty(made, key, {
      value: copy(value[key], seal, met),
      enumerable: true,
      writable: true,
      configurable: true,
    });
  return seal(made);
}
