import { describe, expect, test } from 'vitest';
import { dialectContract } from '../../../testing/index.ts';
import { type ClaudeWord, CLAUDE_WORDS } from './events.ts';
import { hookFor } from './fixtures/hook-for.ts';
import { GAPS } from './gaps.ts';
import { claudeCode } from './index.ts';

describe('the contract of dialects', () => {
  const promised = dialectContract(claudeCode, {
    hookFor: (word) => hookFor(word as ClaudeWord),
    gaps: GAPS,
  });
  for (const { title, check } of promised) test(title, check);

  test('the dialect has all 33 events', () => {
    const spoken = Object.values(claudeCode.words).flatMap((words) => words ?? []);
    expect([CLAUDE_WORDS.length, new Set(spoken).size]).toEqual([33, 33]);
  });
});
