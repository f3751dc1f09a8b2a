/** What Qwen Code 0.24.4 really sent (2026-11-15), and the answers it obeys. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Event } from '../../canon/event.ts';
import { outcome as said } from '../../testing/outcome.ts';
import { hookFor } from './fixtures/hook-for.ts';
import { qwenCode } from './index.ts';

const FOLDER = join(import.meta.dirname, 'fixtures/recorded');
const recorded = (name: string): Record<string, unknown> =>
  JSON.parse(readFileSync(join(FOLDER, `${name}.json`), 'utf8')) as Record<string, unknown>;
const NAMES = readdirSync(FOLDER)
  .map((file) => file.replace(/\.json$/, ''))
  .filter((name) => !name.startsWith('_'));
const read = (name: string): Event => qwenCode.payload.read(recorded(name));
const exited = (code: number, stdout: string, stderr: string) => ({ kind: 'exited', code, stdout, stderr });

test.each(NAMES)('%s is read, and goes to a hook of its own as it came', (name) => {
  const native = recorded(name);
  const event = qwenCode.payload.read(native);
  const request = qwenCode.payload.write(event, hookFor(String(native['hook_event_name'])));
  expect(request.kind === 'command' && JSON.parse(request.stdin!)).toMatchObject(native);
  expect([event.ids.session, event.raw]).toEqual([native['session_id'], native]);
});

test('a shell call, its result and a subagent are told in our words', () => {
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

test('the empty prompt after each batch of tools is nobody’s prompt', () => {
  const asked = recorded('UserPromptSubmit');
  expect(qwenCode.payload.read(asked).name).toBe('prompt.submit');
  expect(qwenCode.payload.read({ ...asked, prompt: '' }).name).toBe('other');
});

describe('an answer for Qwen Code', () => {
  test('a refusal is exit 2 with the reason, context is its own word', () => {
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
