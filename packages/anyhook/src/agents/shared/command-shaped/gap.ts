import type { EventName } from '../../../events/events.ts';

/** Something that a dialect does not support, with the reason. Printed on its docs page and checked by the contract. */
export interface ShapedGap {
  readonly what: string;
  readonly reason: string;
  /** Events whose payload may change in a round trip. */
  readonly payloads?: readonly EventName[];
  /** Dialect events whose payload does not name the event. */
  readonly nameless?: readonly string[];
  /** Dialect events whose hooks cannot answer. */
  readonly answers?: readonly string[];
}
