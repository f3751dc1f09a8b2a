import { EVENT_NAMES, type EventName } from '../../../events/events.ts';

/** Our event → a dialect's words, read off its table of rows; `null`: it fires nothing then. */
export function wordsByMoment<W extends string>(
  all: readonly W[],
  /** The events that a word stands for. */
  eventsOf: (word: W) => readonly EventName[],
): Readonly<Record<EventName, readonly W[] | null>> {
  const words = Object.fromEntries(EVENT_NAMES.map((name) => [name, null])) as Record<EventName, W[] | null>;
  for (const word of all) for (const name of eventsOf(word)) (words[name] ??= []).push(word);
  for (const list of Object.values(words)) Object.freeze(list);
  return Object.freeze(words);
}
