import type { Event } from './event.ts';

/** Caches a payload per event and native event name, so that it is written once for all hooks. */
export function perEvent<T>(write: (event: Event, word: string) => T): (event: Event, word: string) => T {
  const known = new WeakMap<Event, Map<string, T>>();
  return (event, word) => {
    let words = known.get(event);
    if (words === undefined) known.set(event, (words = new Map()));
    let text = words.get(word);
    if (text === undefined) words.set(word, (text = write(event, word)));
    return text;
  };
}
