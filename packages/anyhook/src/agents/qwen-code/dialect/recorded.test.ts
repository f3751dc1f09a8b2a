/** Recorded payloads of Qwen Code 0.24.4 (2026-11-15), and the answers it obeys. */

import { describe, expect, test } from 'vitest';
import { outcome as said } from '../../../testing/outcome.ts';
import { recordedIn } from '../../shared/dialect/fixtures/recorded.ts';
import { exited } from '../../shared/dialect/fixtures/replies.ts';
import { hookFor } from './fixtures/hook-for.ts';
import { qwenCode } from './index.ts';

const { names, native, read, sentTo } = recordedIn(import.meta.dirname, qwenCode);

test.each(names)('the recorded payload %s is read, and passed to a hook of its event unchanged', (name) => {
  const event = read(name);
  expect(sentTo(hookFor, name)).toMatchObject(native(name));
  expect([event.ids.session, event.raw]).toEqual([native(name)['session_id'], native(name)]);
});

test('a shell call, its result and a subagent are read', () => {
  expect(read('PreToolUse.run_shell_command')).toMatchObject({
    name: 'tool.before',
    payload: { tool: 'run_shell_command', input: { command: 'echo hi' } },
    ids: { session: '<id>', call: '<toolu-id>' },
    scene: { cwd: '<cwd>', mode: 'yolo' },
  });
  expect(read('PostToolUse.run_shell_command').payload).toMatchObject({
    content: [{ type: 'text', text: expect.stringContaining('Output: hi') as string }],
  });
  expect(read('PreToolUse.run_shell_command-in-subagent').ids.agent).toMatch(/^general-purpose-/);
});

test('the empty prompt after each batch of tools is not a user prompt', () => {
  const asked = native('UserPromptSubmit');
  expect(qwenCode.payload.read(asked).name).toBe('prompt.submit');
  expect(qwenCode.payload.read({ ...asked, prompt: '' }).name).toBe('other');
});

describe('an answer for Qwen Code', () => {
  test('a refusal is exit 2 with the reason, and context has its own field', () => {
    const call = read('PreToolUse.run_shell_command');
    const deny = said(call, { verdict: 'deny', reasons: [{ by: 'h', text: 'no rm' }] });
    expect(qwenCode.output.write(deny, call)).toEqual(exited(2, '', 'no rm\n'));
    const start = read('SessionStart.startup');
    const told = said(start, { said: [{ by: 'h', to: 'model', text: 'know this' }] });
    expect(qwenCode.output.write(told, start)).toEqual(
      exited(
        0,
        '{"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"know this"}}\n',
        '',
      ),
    );
  });
});
