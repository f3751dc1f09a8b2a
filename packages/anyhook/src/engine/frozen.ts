/** A read-only event shared by all `direct` hooks of a fire. Each part is copied when it is first read. */

import { frozenCopy } from '../events/copy.ts';
import type { Event } from '../events/event.ts';

type Frame = Pick<Event, 'ids' | 'scene' | 'native' | 'usage'>;
interface Copies {
  payload: unknown;
  raw: unknown;
  frame: Frame | undefined;
}
const noneYet = (): Copies => ({ payload: undefined, raw: undefined, frame: undefined });

export class FrozenEvent {
  readonly #event: Event;
  #copies: Copies | undefined;

  constructor(event: Event) {
    this.#event = event;
    Object.freeze(this); // otherwise a hook could replace the payload for the hooks after it
  }
  get name() {
    return this.#event.name;
  }
  get payload() {
    const copies = (this.#copies ??= noneYet());
    return (copies.payload ??= frozenCopy(this.#event.payload));
  }
  get raw() {
    const copies = (this.#copies ??= noneYet());
    return (copies.raw ??= frozenCopy(this.#event.raw));
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
  get usage() {
    return FrozenEvent.#frameOf(this).usage;
  }
  get round() {
    return this.#event.round;
  }
  toJSON() {
    const { name, payload, ids, scene, native, usage, round } = this;
    return { name, payload, ids, scene, native, ...(usage && { usage }), round };
  }
  static #frameOf(of: FrozenEvent): Frame {
    const copies = (of.#copies ??= noneYet());
    if (copies.frame === undefined) {
      const { ids, scene, native, usage } = of.#event;
      copies.frame = frozenCopy({ ids, scene, native, usage }) as Frame;
    }
    return copies.frame;
  }
}
Object.freeze(FrozenEvent.prototype);
