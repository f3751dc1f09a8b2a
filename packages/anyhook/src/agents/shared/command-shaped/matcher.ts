/**
 * Reads a `matcher`: empty matches everything, names separated by | match exactly, anything else is an unanchored
 * pattern.
 */

import { isPlain } from '../../../events/changes.ts';
import { anyText, type Spot } from '../../../events/checker.ts';
import type { Fields } from '../../../events/effects.ts';
import type { Event } from '../../../events/event.ts';
import type { Hook, Match } from '../../../events/hook.ts';
import { compilePattern } from '../../../events/pattern.ts';
import type { MatcherTerms, ShapedEvent } from './terms.ts';

const ANY: Match = { kind: 'any' };

export function readMatcher(
  spot: Spot,
  word: string,
  { matcher: field, on, tool }: Pick<ShapedEvent, 'matcher' | 'on' | 'tool'>,
  fieldsOf: (event: Event) => Fields,
  terms: MatcherTerms = {},
): Pick<Hook, 'match' | 'when'> {
  if (field === null) sayUnused(spot, word);
  const isTool = field === 'tool_name' && tool === undefined;
  const match = spot.value === undefined || field === null ? ANY : matchOf(spot, terms, isTool);
  if (isTool) return { match };
  const test =
    match.kind === 'any'
      ? undefined
      : match.kind === 'names'
        ? (subject: string) => match.names.includes(subject)
        : match.test;
  return {
    // The subject of `other` is the event name. For other events the matcher reads the field that the agent would send.
    match: on === 'other' ? { kind: 'names', names: [word] } : (tool ?? ANY),
    ...(test !== undefined && {
      when: (event: Event) => {
        const subject = subjectIn(fieldsOf(event), field!);
        return test(typeof subject === 'string' ? subject : '');
      },
    }),
  };
}

/**
 * The event has no field for a matcher. The agent ignores it silently, but the author of the hook expects fewer calls.
 */
function sayUnused(spot: Spot, word: string): void {
  const source = spot.value === undefined ? undefined : anyText(spot);
  if (source === undefined || source === '' || source === '*') return;
  spot.report(
    'matcher-unused',
    `${word} has nothing to match, so the matcher is ignored and the hook always runs`,
    {
      remedy: 'Leave the matcher out.',
      severity: 'warning',
    },
  );
}

/** Returns a field of the payload, or an argument of its call. */
function subjectIn(document: Fields, field: string): unknown {
  const { tool_input: input } = document;
  return document[field] ?? (isPlain(input) ? input[field] : undefined);
}

function matchOf(spot: Spot, { exactFields, invalidIsName }: MatcherTerms, isTool: boolean): Match {
  const source = anyText(spot);
  if (source === undefined || source === '' || source === '*') return ANY;
  if (exactFields === true && !isTool) return { kind: 'names', names: [source] };
  if (/^[\w|]+$/.test(source)) return { kind: 'names', names: source.split('|').filter(Boolean) };
  try {
    const { test } = compilePattern(source);
    return { kind: 'pattern', source, test };
  } catch (error) {
    if (invalidIsName === true) return { kind: 'names', names: [source] };
    spot.report('bad-matcher', `${JSON.stringify(source)}: ${(error as Error).message}`, {
      remedy: 'Write names with | between them, or a regular expression.',
    });
    return ANY;
  }
}
