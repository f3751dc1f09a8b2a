import type { Event } from '../../events/event.ts';

const serialised = new WeakMap<Event, string>();
/** One event is written once, however many hooks get it. */
export function eventJson(event: Event): string {
  const known = serialised.get(event);
  if (known !== undefined) return known;
  const json = JSON.stringify(event);
  if (Object.isFrozen(event)) serialised.set(event, json);
  return json;
}
