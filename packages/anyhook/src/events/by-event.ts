import { EVENT_NAMES, type EventName } from './events.ts';

/**
 * One value per event, for what is read at every fire, and nothing under any other name (`constructor`). By way of JSON: an
 * object built key by key from so many names becomes a hash table, and slower to read.
 */
export const byEvent = <T extends string | boolean>(valueOf: (name: EventName) => T): Record<EventName, T> =>
  parsed(JSON.stringify(Object.fromEntries(EVENT_NAMES.map((name) => [name, valueOf(name)]))));

/** The same for what is written at any time: empty, and a place for each event. */
export const slotsByEvent = <T extends object>(): Record<EventName, T | null> => parsed(EMPTY);
const EMPTY = JSON.stringify(Object.fromEntries(EVENT_NAMES.map((name) => [name, null])));

const parsed = <T>(json: string): Record<EventName, T> =>
  Object.setPrototypeOf(JSON.parse(json), null) as Record<EventName, T>;
