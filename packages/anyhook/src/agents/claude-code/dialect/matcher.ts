/**
 * Reads the `matcher` of a group: empty matches everything, a list of names matches exactly, anything else is an
 * unanchored regular expression.
 */

import { basename } from 'node:path';
import type { Event } from '../../../events/event.ts';
import type { Hook, Match } from '../../../events/hook.ts';
import { compilePattern } from '../../../events/pattern.ts';
import { type ClaudeWord, claudeEvent } from './events.ts';
import { claudeFieldsOf } from './payload-fields.ts';

export type ClaudeMatcher = Pick<Hook, 'match' | 'when'>;
export interface ClaudeMatcherRead {
  readonly matcher: ClaudeMatcher;
  /** Reported to the author; the matcher still counts. */
  readonly doubt?: { readonly message: string; readonly remedy: string };
}

/** Throws a SyntaxError for an invalid regular expression. */
export function readMatcher(source: string | undefined, word: ClaudeWord): ClaudeMatcherRead {
  const { matcher: field, on } = claudeEvent(word);
  const match = field === null ? CLAUDE_MATCH_ANY : matchOf(source ?? '', word);
  const doubt = field === null ? unused(source, word) : misreading(source ?? '', match, field);
  if (field === 'tool_name') return { matcher: { match }, ...(doubt && { doubt }) };
  const test = testOf(match);
  return {
    matcher: {
      // The subject of `other` is the event name. For other events the matcher reads the field that Claude Code would
      // send.
      match: on === 'other' ? { kind: 'names', names: [word] } : CLAUDE_MATCH_ANY,
      ...(test !== undefined && { when: (event: Event) => test(subjectOf(event, field!)) }),
    },
    ...(doubt && { doubt }),
  };
}

export const CLAUDE_MATCH_ANY: Match = { kind: 'any' };
const EXACT = /^[\w ,|-]*$/;
const EXACT_NARROW = /^[\w|]*$/;

function matchOf(source: string, word: ClaudeWord): Match {
  if (source === '' || source === '*') return CLAUDE_MATCH_ANY;
  const isNarrow = claudeEvent(word).narrow === true;
  if ((isNarrow ? EXACT_NARROW : EXACT).test(source)) {
    const names = source.split(isNarrow ? '|' : /[|,]/).map((name) => name.trim());
    return { kind: 'names', names: names.filter((name) => name !== '') };
  }
  const { test } = compilePattern(source);
  return { kind: 'pattern', source, test };
}

function testOf(match: Match): ((subject: string) => boolean) | undefined {
  if (match.kind === 'any') return undefined;
  return match.kind === 'names' ? (subject) => match.names.includes(subject) : match.test;
}

/** A watched file is identified by its name, everything else by the field as sent. */
function subjectOf(event: Event, field: string): string {
  const value = claudeFieldsOf(event)[field];
  if (typeof value !== 'string') return '';
  return field === 'file_path' ? basename(value) : value;
}

const unused = (source: string | undefined, word: ClaudeWord): ClaudeMatcherRead['doubt'] =>
  source === undefined || source === '' || source === '*'
    ? undefined
    : {
        message: `${word} has nothing to match, so the matcher is ignored`,
        remedy: 'Leave the matcher out.',
      };

/** Warns about matchers that Claude Code probably reads differently than intended. */
function misreading(source: string, match: Match, field: string): ClaudeMatcherRead['doubt'] {
  if (match.kind === 'names') {
    const server = match.names.find((name) => field === 'tool_name' && /^mcp__(?:(?!__).)+$/.test(name));
    return server === undefined
      ? undefined
      : {
          message: `"${server}" is compared as a whole name, so it matches no tool of that server`,
          remedy: `Write "${server}__.*".`,
        };
  }
  if (match.kind === 'pattern' && /^\w+\(.*\)$/.test(source))
    return {
      message: `"${source}" is read as a regular expression and matches no tool`,
      remedy: 'Put a permission rule in "if", next to "command".',
    };
  return undefined;
}
