import { expect, test } from 'vitest';
import { AGENTS } from './index.ts';
import { redactionIn } from './redaction.ts';

// In a prompt, in a call, in a call as the model wrote it, in a result, in the result of a tool that failed.
test.each([
  ['claude-code', ['refused', 'hidden', 'read', 'hidden', 'read']],
  ['codex', ['refused', 'hidden', 'read', 'hidden', 'untold']],
  ['gemini-cli', ['refused', 'hidden', 'read', 'hidden', 'read']],
  ['goose', ['read', 'refused', 'read', 'read', 'read']],
  ['qwen-code', ['refused', 'refused', 'read', 'read', 'read']],
  ['kimi-code', ['refused', 'refused', 'read', 'read', 'read']],
  ['copilot-cli', ['refused', 'hidden', 'read', 'read', 'read']],
  ['grok-build', ['refused', 'hidden', 'read', 'read', 'read']],
  ['opencode', ['hidden', 'hidden', 'hidden', 'hidden', 'hidden']],
  ['pi', ['hidden', 'hidden', 'hidden', 'hidden', 'hidden']],
] as const)(
  'what becomes of a secret that a hook would hide is read off what %s can do',
  (agent, expected) => {
    expect(Object.values(redactionIn(AGENTS[agent]))).toEqual(expected);
  },
);
