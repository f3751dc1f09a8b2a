/** Looks up our events by the native names of all dialects. */

import type { Dialect } from './dialect.ts';
import { EVENT_NAMES, type EventName, isEventName } from './events.ts';
import { nearest } from './problems.ts';

type Speaker = Pick<Dialect, 'words'>;

/** Result of looking up an event name. */
export type EventWord =
  | { readonly kind: 'event'; readonly event: EventName }
  /** One name for several of our events, or used by several agents for different ones. */
  | { readonly kind: 'ambiguous'; readonly candidates: readonly EventName[] }
  | { readonly kind: 'unknown'; readonly near?: string };

/** OpenCode's bus events are accepted with and without the prefix that its plugins see. */
const BUS = 'event:';

/** Our own names take precedence over a dialect's use of the same name. */
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

/** Returns our events for a native event name; most have one. */
export const momentsOf = (word: string, { words }: Speaker): readonly EventName[] =>
  EVENT_NAMES.filter((name) => words[name]?.includes(word) === true);

/** Explains why an event name cannot be used, and what to write instead. */
export function notAnEvent(word: string, read: Exclude<EventWord, { kind: 'event' }>): string {
  const quoted = JSON.stringify(word);
  if (read.kind === 'ambiguous')
    return `${quoted} can mean ${read.candidates.join(' or ')}; write one of them`;
  return `unknown event ${quoted}${read.near === undefined ? `; known events: ${EVENT_NAMES.join(', ')}` : `; did you mean ${read.near}?`}`;
}
