import { EVENT_NAMES, type EventName } from './events.ts';

/**
 * A table with one value per event, for lookups at every fire, and no inherited keys such as `constructor`.
 * It is built through JSON because V8 turns an object with so many keys added one by one into a slower hash
 * table.
 */
export const byEvent = <T extends string | boolean>(valueOf: (name: EventName) => T): Record<EventName, T> =>
  parsed(JSON.stringify(Object.fromEntries(EVENT_NAMES.map((name) => [name, valueOf(name)]))));

/** An empty table that can be filled later, with one slot per event. */
export const slotsByEvent = <T extends object>(): Record<EventName, T | null> => parsed(EMPTY);
const EMPTY = JSON.stringify(Object.fromEntries(EVENT_NAMES.map((name) => [name, null])));

const parsed = <T>(json: string): Record<EventName, T> =>
  Object.setPrototypeOf(JSON.parse(json), null) as Record<EventName, T>;
