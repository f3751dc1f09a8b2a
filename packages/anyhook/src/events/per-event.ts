import type { Event } from './event.ts';

/** One payload is put into words once, however many hooks get it: remembered per event object and dialect word. */
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
