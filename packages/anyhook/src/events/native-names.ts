/** Our events by any dialect's word for them. */
import type { Dialect } from './dialect.ts';
import { EVENT_NAMES, type EventName, isEventName } from './events.ts';
import { nearest } from './problems.ts';

type Speaker = Pick<Dialect, 'words'>;

/** What a word for an event came to. */
export type EventWord =
  | { readonly kind: 'event'; readonly event: EventName }
  /** One word for several of our events, or of several agents for different ones. */
  | { readonly kind: 'ambiguous'; readonly candidates: readonly EventName[] }
  | { readonly kind: 'unknown'; readonly near?: string };

/** OpenCode's bus events are known with and without the prefix by which its plugins hear them. */
const BUS = 'event:';

/** Our own names come first: a dialect that uses one of them for something else does not take it away. */
export function readEventWord(word: string, speakers: readonly Speaker[]): EventWord {
  if (isEventName(word)) return { kind: 'event', event: word };
  const fits = (name: EventName) =>
    speakers.some(({ words }) => words[name]?.some((one) => one === word || one === BUS + word));
  const candidates = EVENT_NAMES.filter(fits);
  if (candidates.length > 1) return { kind: 'ambiguous', candidates };
  if (candidates.length === 1) return { kind: 'event', event: candidates[0]! };
  const near = nearest(word, [...EVENT_NAMES, ...wordsOf(speakers)]);
  return near === undefined ? { kind: 'unknown' } : { kind: 'unknown', near };
}

const wordsOf = (speakers: readonly Speaker[]): string[] =>
  speakers.flatMap(({ words }) => EVENT_NAMES.flatMap((name) => words[name] ?? []));

/** Our events behind a hook's own word; most have one. */
export const momentsOf = (word: string, { words }: Speaker): readonly EventName[] =>
  EVENT_NAMES.filter((name) => words[name]?.includes(word) === true);

/** Why a word is of no use, and what to write instead. */
export function notAnEvent(word: string, read: Exclude<EventWord, { kind: 'event' }>): string {
  const said = JSON.stringify(word);
  if (read.kind === 'ambiguous') return `${said} can mean ${read.candidates.join(' or ')}; name one of them`;
  return `no event is called ${said}${read.near === undefined ? `; known are ${EVENT_NAMES.join(', ')}` : `; did you mean ${read.near}?`}`;
}
