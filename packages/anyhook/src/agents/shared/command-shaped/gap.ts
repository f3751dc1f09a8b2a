import type { EventName } from '../../../events/events.ts';

/** What a dialect does not do, with its reason: printed in its page, and held to by the contract. */
export interface ShapedGap {
  readonly what: string;
  readonly reason: string;
  /** Events for which the round trip of the payload is not promised. */
  readonly payloads?: readonly EventName[];
  /** Words whose payloads do not say which event it is. */
  readonly nameless?: readonly string[];
  /** Words whose hooks are only told. */
  readonly answers?: readonly string[];
}
