/** A group's `matcher`: a pattern for tools, unanchored; for other events the exact word. */
import { anyText, type Spot } from '../../canon/checker.ts';
import type { Event } from '../../canon/event.ts';
import type { Hook, Match } from '../../canon/hook.ts';
import { compilePattern } from '../../canon/pattern.ts';
import { sayUnused } from '../command-shaped/matcher.ts';
import { geminiEvent, type GeminiWord } from './events.ts';
import { geminiFieldsOf } from './payload.ts';

const ANY: Match = { kind: 'any' };

export function readMatcher(spot: Spot, word: GeminiWord): Pick<Hook, 'match' | 'when'> {
  const { matcher: field, on } = geminiEvent(word);
  if (field === null) sayUnused(spot, word);
  const source = spot.value === undefined ? undefined : anyText(spot);
  const isAny = source === undefined || source === '' || source === '*';
  if (field === 'tool_name') return { match: isAny ? ANY : toolMatch(source) };
  return {
    // The subject of `other` is its word; of any other event the matcher reads the field Gemini would send.
    match: on === 'other' ? { kind: 'names', names: [word] } : ANY,
    ...(!isAny && field !== null && { when: (event: Event) => geminiFieldsOf(event)[field] === source }),
  };
}

/** Words are compared exactly, with every spelling of a tool's name; what is no pattern is taken as a word, as Gemini does. */
function toolMatch(source: string): Match {
  if (/^[\w|]+$/.test(source)) return { kind: 'names', names: source.split('|').filter(Boolean) };
  try {
    const { test } = compilePattern(source);
    return { kind: 'pattern', source, test };
  } catch {
    return { kind: 'names', names: [source] };
  }
}
