/** Recorded payloads of Kimi Code 2.1.0 (2026-11-16), and the answers it obeys. */

import { describe, expect, test } from 'vitest';
import { outcome as said } from '../../../testing/outcome.ts';
import { recordedIn } from '../../shared/dialect/fixtures/recorded.ts';
import { exited } from '../../shared/dialect/fixtures/replies.ts';
import { hookFor } from './fixtures/hook-for.ts';
import { kimiCode } from './index.ts';

const { names, native, read, sentTo } = recordedIn(import.meta.dirname, kimiCode);

test.each(names)('the recorded payload %s is read, and passed to a hook of its event unchanged', (name) => {
  const event = read(name);
  expect(sentTo(hookFor, name)).toMatchObject(native(name));
  expect([event.ids.session, event.raw]).toEqual([native(name)['session_id'], native(name)]);
});

test('a prompt is a list of parts, a result a text, an error an object', () => {
  expect(read('UserPromptSubmit').payload).toEqual({ prompt: 'Please do the task.' });
  expect(read('PostToolUse.Bash').payload).toEqual({
    tool: 'Bash',
    input: { command: 'echo hi' },
    content: [{ type: 'text', text: 'hi\n' }],
  });
  expect(read('PostToolUseFailure.Read').payload).toMatchObject({
    error: '"<cwd>/missing.txt" does not exist.',
  });
});

describe('an answer for Kimi Code', () => {
  test('a refusal is exit 2 with the reason, and context is plain text on prompts only', () => {
    const call = read('PreToolUse.Bash');
    const deny = said(call, { verdict: 'deny', reasons: [{ by: 'h', text: 'no rm' }] });
    expect(kimiCode.output.write(deny, call)).toEqual(exited(2, '', 'no rm\n'));
    const prompt = read('UserPromptSubmit');
    const told = { said: [{ by: 'h', to: 'model', text: 'know this' }] } as const;
    expect(kimiCode.output.write(said(prompt, told), prompt)).toEqual(exited(0, 'know this\n', ''));
  });
});

describe('config.toml', () => {
  const PLACE = { layer: 'user', file: 'config.toml' } as const;

  test('problems of a hook are reported at the line of its table', () => {
    const text = `default_model = "x"

[[hooks]]
event = "PreToolUse"
matcher = "Bash"
command = "true"
timeout = 5

[[hooks]]
event = "PreTolUse"
command = "true"

[[hooks]]
event = "Stop"
`;
    const { hooks, problems } = kimiCode.config.read(text, PLACE);
    expect(hooks.map(({ on, origin, timeoutMs, run }) => [on, origin.line, timeoutMs, run.kind])).toEqual([
      ['PreToolUse', 3, 5_000, 'command'],
      ['Stop', 13, 30_000, 'missing'],
    ]);
    expect(problems.map(({ line, message }) => [line, message])).toEqual([
      [9, 'unknown event "PreTolUse".'],
      [13, 'has no "command".'],
    ]);
  });

  test('a file that is not TOML is reported with the line of the error', () => {
    const { hooks, problems } = kimiCode.config.read('a = 1\nb = = 2\n', PLACE);
    expect([hooks, problems.map(({ code, line }) => [code, line])]).toEqual([[], [['syntax', 2]]]);
  });
});
