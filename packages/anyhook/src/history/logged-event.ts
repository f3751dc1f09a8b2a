/** One event as the history needs it, from a fired event or from a record of the journal. */

import { actsOf, isCompound } from '../events/acts.ts';
import type { Fields } from '../events/effects.ts';
import type { Event, Ids, Scene, Spelling } from '../events/event.ts';
import { type EventName, isEventName } from '../events/events.ts';
import { isFields } from '../events/fields.ts';
import type { Ruling } from '../events/outcome.ts';
import type { ReadRecord } from '../journal/index.ts';

/** The events that a history is made of. */
export const HISTORY_EVENTS: ReadonlySet<EventName> = new Set<EventName>([
  'prompt.submit',
  'tool.before',
  'tool.after',
  'tool.failed',
  'tool.denied',
  'file.edited',
]);

export interface LoggedEvent {
  readonly name: EventName;
  readonly ids: Ids;
  readonly scene: Scene;
  readonly native?: Spelling;
  readonly payload: Fields;
  readonly verdict: Ruling['verdict'];
  /** Milliseconds since 1970. */
  readonly atMs: number;
  /** Parts of the payload are missing in the record. */
  readonly isPartial: boolean;
}

export function loggedEvent(event: Event, { verdict }: Pick<Ruling, 'verdict'>, atMs: number): LoggedEvent {
  const { name, ids, scene, native, payload } = event;
  return {
    name,
    ids,
    scene,
    ...(native && { native }),
    payload: payload as Fields,
    verdict,
    atMs,
    isPartial: false,
  };
}

/** Returns undefined for a record that does not belong to a history. */
export function loggedRecord(record: ReadRecord): LoggedEvent | undefined {
  const { event: name, ids, scene, native, before, after, verdict, at, late, cut = 0 } = record;
  if (late === true || !isEventName(name) || !HISTORY_EVENTS.has(name)) return undefined;
  return {
    name,
    ids,
    scene,
    ...(native && { native }),
    // A hook may have changed the call. Results keep what the agent reported.
    payload: payloadOf(name === 'tool.before' ? (after ?? before) : before),
    verdict,
    atMs: Date.parse(at),
    isPartial: cut > 0,
  };
}

const payloadOf = (value: unknown): Fields => (isFields(value) ? value : {});

/** The call as matchers read it: the whole, and each act of a compound call. */
export function callViews({ ids, scene, native, payload }: LoggedEvent): readonly Event[] {
  const call = { name: 'tool.before', ids, scene, round: 1 } as const;
  const { tool, input } = payload;
  const fields = { tool, input: isFields(input) ? input : {} };
  const whole = { ...call, ...(native && { native }), payload: fields } as Event;
  if (typeof tool !== 'string' || !isCompound(fields)) return [whole];
  return [whole, ...actsOf(fields).map((act) => ({ ...call, payload: act }) as unknown as Event)];
}
