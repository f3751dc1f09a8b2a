/** Recorded payloads of Gemini CLI 0.61.0 (2026-11-15), and the answers it obeys. */

import { describe, expect, test } from 'vitest';
import type { Event } from '../../../events/event.ts';
import type { Outcome } from '../../../events/outcome.ts';
import { outcome as said } from '../../../testing/outcome.ts';
import { recordedIn } from '../../shared/dialect/fixtures/recorded.ts';
import { hookFor } from './fixtures/hook-for.ts';
import { geminiCli } from './index.ts';

const { names, native, read, sentTo } = recordedIn(import.meta.dirname, geminiCli);
const printed = (outcome: Outcome, event: Event): unknown => {
  const reply = geminiCli.output.write(outcome, event);
  if (reply.kind !== 'exited' || reply.code !== 0 || reply.stderr !== '') throw new Error('not exit 0');
  return reply.stdout === '' ? '' : JSON.parse(reply.stdout);
};

describe('a recorded payload', () => {
  test.each(names)('the recorded payload %s is read, and passed to a Gemini hook unchanged', (name) => {
    const event = read(name);
    expect(sentTo(hookFor, name)).toEqual(native(name));
    expect([event.ids.session, event.raw]).toEqual([native(name)['session_id'], native(name)]);
  });

  test('a shell call, its result and a failed tool are three events', () => {
    expect(read('BeforeTool.run_shell_command')).toMatchObject({
      name: 'tool.before',
      payload: { tool: 'run_shell_command', input: { command: 'echo hi' } },
    });
    expect(read('AfterTool.run_shell_command')).toMatchObject({
      name: 'tool.after',
      payload: { content: [{ type: 'text', text: expect.stringContaining('Output: hi') as string }] },
    });
    expect(read('AfterTool.read_file')).toMatchObject({
      name: 'tool.failed',
      payload: { tool: 'read_file', error: 'File not found: <cwd>/missing.txt' },
    });
  });

  test('a prompt and a stop are read', () => {
    expect(read('BeforeAgent')).toMatchObject({
      name: 'prompt.submit',
      payload: { prompt: 'Please do the task.' },
    });
    expect(read('AfterAgent')).toMatchObject({
      name: 'turn.stop',
      payload: { active: false, lastMessage: 'done' },
    });
  });
});

describe('an answer for Gemini', () => {
  test('a refusal is one JSON document with exit 0', () => {
    const event = read('BeforeTool.run_shell_command');
    const deny = said(event, { verdict: 'deny', reasons: [{ by: 'h', text: 'no rm' }] });
    expect(printed(deny, event)).toEqual({ decision: 'deny', reason: 'no rm' });
  });

  test('a change contains the whole input', () => {
    const event = read('BeforeTool.replace');
    const input = { ...(event.payload as { input: object }).input, new_string: 'three' };
    const payload = { tool: 'replace', input };
    const change = said(event, { payload, changed: [{ by: 'h', at: 'input.new' }] });
    expect(printed(change, event)).toEqual({
      hookSpecificOutput: { hookEventName: 'BeforeTool', tool_input: input },
    });
  });

  test('context, a replaced result, a halt and a resumed turn use the fields of Gemini', () => {
    const told = { said: [{ by: 'h', to: 'model', text: 'know this' }] } as const;
    const prompt = read('BeforeAgent');
    expect(printed(said(prompt, { ...told, flow: { halt: 'later' } }), prompt)).toEqual({
      continue: false,
      stopReason: 'later',
      hookSpecificOutput: { hookEventName: 'BeforeAgent', additionalContext: 'know this' },
    });
    const after = read('AfterTool.run_shell_command');
    const redacted = { ...after.payload, content: [{ type: 'text', text: '***' }] };
    const change = said(after, { ...told, payload: redacted, changed: [{ by: 'h', at: 'content' }] });
    expect(printed(change, after)).toEqual({ decision: 'deny', reason: '***\nknow this' });
    const stop = read('AfterAgent');
    expect(printed(said(stop, { flow: { resume: 'go on' } }), stop)).toEqual({
      decision: 'deny',
      reason: 'go on',
    });
  });
});

describe('a Gemini hook', () => {
  const event = read('BeforeTool.run_shell_command');
  const answer = (code: number, stdout: string, stderr = '') =>
    geminiCli.output.read({ kind: 'exited', code, stdout, stderr }, event, hookFor('BeforeTool'));
  const deny = (reason: string) => ({ effects: [{ kind: 'deny', reason }] });

  test.each([
    ['JSON on stdout', 0, '{"decision":"deny","reason":"no"}', ''],
    ['JSON on stderr, where stdout is empty', 0, '', '{"decision":"block","reason":"no"}'],
    ['exit 2 with a text', 2, '', 'no'],
    ['exit 127 with a text', 127, '', 'no'],
  ])('a Gemini hook with %s refuses', (_, code, stdout, stderr) => {
    expect(answer(code, stdout, stderr)).toEqual(deny('no'));
  });

  test('exit 2 refuses whatever is printed, even without output', () => {
    const refused = deny('blocked by a hook that gave no reason');
    expect(answer(2, '{"decision":"allow"}')).toEqual(refused);
    expect(answer(2, '{"decision":"allow"}', 'aside')).toEqual(refused);
    expect(answer(2, '{"decision":"deny","reason":"r"}')).toEqual(deny('r'));
    expect(answer(2, '')).toEqual(refused);
  });

  test('a JSON answer decides at any other exit code', () => {
    expect(answer(3, '{"decision":"allow"}')).toEqual({ effects: [] });
  });

  test('exit 1 is a failure', () => {
    expect(answer(1, '', 'x').failed?.kind).toBe('failed');
  });

  test('output that is not JSON is shown to the user', () => {
    expect(answer(0, 'hello')).toEqual({ effects: [{ kind: 'notice', text: 'hello' }] });
  });

  test('hooksConfig of the user disables hooks by name; in a project it only disables its own', () => {
    const place = { layer: 'user', file: 's.json' } as const;
    const hook = hookFor('BeforeTool', { type: 'command', command: 'x', name: 'guard' });
    const off = { disabled: ['guard'] };
    expect(geminiCli.config.settle!(hook, [{ place, settings: off }]).hook).toBeUndefined();
    expect(
      geminiCli.config.settle!(hook, [{ place: { ...place, layer: 'project' }, settings: off }]).hook,
    ).toBe(hook);
  });
});
