import { expect, test } from 'vitest';
import { event } from '../../../testing/event.ts';
import { hookFor } from './fixtures/hook-for.ts';

function read(word: string, matcher: string) {
  const { match, when } = hookFor(word, undefined, matcher);
  return { match, ...(when && { when }) };
}

test('a matcher is tested on the tool, or on the field that Codex would send with the event', () => {
  expect(read('PreToolUse', 'Bash|apply_patch')).toEqual({
    match: { kind: 'names', names: ['Bash', 'apply_patch'] },
  });
  const { match, when } = read('SessionStart', 'startup');
  const starts = (['startup', 'resume'] as const).map((source) => when?.(event('session.start', { source })));
  expect([match, starts]).toEqual([{ kind: 'any' }, [true, false]]);
});
