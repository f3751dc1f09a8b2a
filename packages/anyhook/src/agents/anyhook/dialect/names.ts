import { EVENT_NAMES, type EventName } from '../../../events/events.ts';

/** The canon's words are our own: every event goes by its one name. */
export const WORDS = Object.freeze(
  Object.fromEntries(EVENT_NAMES.map((name) => [name, Object.freeze([name])])),
) as Readonly<Record<EventName, readonly [EventName]>>;
