import { EVENT_NAMES, type EventName } from '../../../events/events.ts';

/** Maps our events to the dialect's event names from its table; `null`: the dialect has no such event. */
export function wordsByMoment<W extends string>(
  all: readonly W[],
  /** Our events for a dialect event name. */
  eventsOf: (word: W) => readonly EventName[],
): Readonly<Record<EventName, readonly W[] | null>> {
  const words = Object.fromEntries(EVENT_NAMES.map((name) => [name, null])) as Record<EventName, W[] | null>;
  for (const word of all) for (const name of eventsOf(word)) (words[name] ??= []).push(word);
  for (const list of Object.values(words)) Object.freeze(list);
  return Object.freeze(words);
}
