/** The one event that all `direct` hooks of a fire are shown: nobody can write to it, and each part is copied when it is first read. */
import { frozenCopy } from '../canon/copy.ts';
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
    return (this.#payload ??= frozenCopy(this.#event.payload));
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
