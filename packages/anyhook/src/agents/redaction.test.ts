import { expect, test } from 'vitest';
import { AGENTS } from './index.ts';
import { redactionIn } from './redaction.ts';

// Columns: in a prompt, in a call, in a call as the model wrote it, in a result, in the result of a failed tool.
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
] as const)('the redaction of a secret is derived from the capabilities of %s', (agent, expected) => {
  expect(Object.values(redactionIn(AGENTS[agent]))).toEqual(expected);
});
