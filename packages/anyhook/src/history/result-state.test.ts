import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { DIALECTS } from '../dialects.ts';
import type { Fields } from '../events/effects.ts';
import { resultState } from './result-state.ts';

const text = (value: string) => [{ type: 'text', text: value }];

test.each<readonly [string, object, string]>([
  ['isError: true', { isError: true }, 'failed'],
  ['isError: false', { isError: false, content: text('ok') }, 'succeeded'],
  ['only text', { content: text('ok') }, 'ended'],
  ['text that claims success', { content: text('Exit Code: 0') }, 'ended'],
  ['text with another exit code', { content: text('Exit Code: 1') }, 'failed'],
  ['text that names an exit code in a sentence', { content: text('exited with code 127') }, 'failed'],
  ['a structured exit code 0', { details: { metadata: { exit: 0 } } }, 'succeeded'],
  ['the metadata of OpenCode', { details: { output: 'hi', exit: 0, truncated: false } }, 'succeeded'],
  ['another structured exit code', { details: { exit_code: 2 } }, 'failed'],
  ['another exit code despite isError: false', { isError: false, details: { exitCode: 2 } }, 'failed'],
  ['an interruption', { details: { stdout: '', interrupted: true } }, 'failed'],
])('the result of a shell command with %s is read', (_, result, state) => {
  expect(resultState({ tool: 'shell', input: {}, content: [], ...result })).toBe(state);
});

test('a result of another tool without an error is a success', () => {
  expect(resultState({ tool: 'read', input: {}, content: text('Exit Code: 1') })).toBe('succeeded');
});

test.each([
  ['oh-my-pi', 'tool_result.bash', 'ended'],
  ['grok-build', 'PostToolUse.run_terminal_command', 'succeeded'],
  ['codex', 'PostToolUse.Bash', 'ended'],
])('the recorded result of %s (%s) is read as %s', (name, file, state) => {
  const url = new URL(`../agents/${name}/dialect/fixtures/recorded/${file}.json`, import.meta.url);
  const { payload } = DIALECTS.find((one) => one.name === name)!.payload.read(
    JSON.parse(readFileSync(url, 'utf8')),
  );
  expect(resultState({ ...(payload as Fields), tool: 'shell' })).toBe(state);
});
