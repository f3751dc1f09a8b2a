import { expect, test } from 'vitest';
import { checkShape } from '../../canon/checker.ts';
import { readDocument } from '../../canon/document.ts';
import { event } from '../../testing/event.ts';
import type { CodexWord } from './events.ts';
import { readMatcher } from './matcher.ts';

const read = (word: CodexWord, matcher: string) =>
  checkShape(readDocument(JSON.stringify(matcher), 'hooks.json'), [], (spot) => readMatcher(spot, word))
    .value!;

test('a matcher is about the tool, or about the field that Codex would send with the event', () => {
  expect(read('PreToolUse', 'Bash|apply_patch')).toEqual({
    match: { kind: 'names', names: ['Bash', 'apply_patch'] },
  });
  const { match, when } = read('SessionStart', 'startup');
  const starts = (['startup', 'resume'] as const).map((source) => when?.(event('session.start', { source })));
  expect([match, starts]).toEqual([{ kind: 'any' }, [true, false]]);
});
