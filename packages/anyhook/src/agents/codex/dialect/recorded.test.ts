/** Recorded payloads of Codex 0.166.0 (2026-11-15), and the answers it obeys. */

import { describe, expect, test } from 'vitest';
import { outcome as said } from '../../../testing/outcome.ts';
import { recordedIn } from '../../shared/dialect/fixtures/recorded.ts';
import { hookFor } from './fixtures/hook-for.ts';
import { codex } from './index.ts';

const { names, native, read, sentTo } = recordedIn(import.meta.dirname, codex);

describe('a recorded payload', () => {
  test.each(names)('the recorded payload %s is read, and passed to a Codex hook unchanged', (name) => {
    const event = read(name);
    expect(sentTo(hookFor, name)).toMatchObject(native(name));
    expect([event.ids.session, event.raw]).toEqual([native(name)['session_id'], native(name)]);
  });

  test('a shell call has tool, input, call id, model, mode and folder', () => {
    const { name, payload, ids, scene } = read('PreToolUse.Bash');
    expect({ name, payload, ids, scene }).toEqual({
      name: 'tool.before',
      payload: { tool: 'Bash', input: { command: 'echo hi' } },
      ids: { session: '<id>', call: '<call-id>' },
      scene: {
        cwd: '<cwd>',
        model: 'fake-model',
        mode: 'bypassPermissions',
        transcript: '<home>/.codex/sessions/<date>/rollout-<time>-<id>.jsonl',
      },
    });
  });

  test('a subagent is marked, a stop has the last message, a result is one text', () => {
    expect(read('PreToolUse.Bash-in-subagent').ids.agent).toBe('<id>');
    expect(read('Stop').payload).toEqual({ active: false, lastMessage: 'done' });
    expect(read('PostToolUse.Bash').payload).toEqual({
      tool: 'Bash',
      input: { command: 'echo hi' },
      content: [{ type: 'text', text: 'hi\n' }],
    });
  });

  test('an event newer than the table is passed through unchanged', () => {
    const native = { hook_event_name: 'AfterTea', session_id: 's', cwd: '/p' };
    expect(codex.payload.read(native)).toMatchObject({
      name: 'other',
      payload: { word: 'AfterTea', body: native },
    });
  });

  test('a payload without an event name is rejected', () => {
    expect(() => codex.payload.read({ cwd: '/p' })).toThrow('"hook_event_name" is missing');
  });
});

describe('an answer for Codex', () => {
  const exited = (code: number, stdout: object | '', stderr: string) => ({
    kind: 'exited',
    code,
    stdout: stdout === '' ? '' : `${JSON.stringify(stdout)}\n`,
    stderr,
  });

  test('a refusal is exit 2 with a reason and empty stdout, even if no hook gave a reason', () => {
    const event = read('PreToolUse.Bash');
    const deny = said(event, { verdict: 'deny', reasons: [{ by: 'h', text: 'no rm' }] });
    expect(codex.output.write(deny, event)).toEqual(exited(2, '', 'no rm\n'));
    // Codex treats exit 2 with empty stderr as a failure and runs the call.
    expect(codex.output.write(said(event, { verdict: 'deny' }), event)).toEqual(
      exited(2, '', 'blocked by a hook that gave no reason\n'),
    );
  });

  test('a change is sent with an approval, and an approval alone is never sent', () => {
    const event = read('PreToolUse.Bash');
    const payload = { tool: 'Bash', input: { command: 'ls' } };
    const change = said(event, { payload, changed: [{ by: 'h', at: 'input.command' }] });
    expect(codex.output.write(change, event)).toEqual(
      exited(
        0,
        {
          hookSpecificOutput: {
            hookEventName: 'PreToolUse',
            permissionDecision: 'allow',
            updatedInput: { command: 'ls' },
          },
        },
        '',
      ),
    );
    expect(codex.output.write(said(event, { verdict: 'allow' }), event)).toEqual(exited(0, '', ''));
  });

  test('context, a replaced result, a halt and a resumed turn use the fields of Codex', () => {
    const told = { said: [{ by: 'h', to: 'model', text: 'know this' }] } as const;
    const start = read('SessionStart.startup');
    expect(codex.output.write(said(start, { ...told, flow: { halt: 'later' } }), start)).toEqual(
      exited(
        0,
        {
          continue: false,
          stopReason: 'later',
          hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: 'know this' },
        },
        '',
      ),
    );
    const after = read('PostToolUse.Bash');
    const redacted = { ...after.payload, content: [{ type: 'text', text: '***' }] };
    const change = said(after, { payload: redacted, changed: [{ by: 'h', at: 'content' }] });
    expect(codex.output.write(change, after)).toEqual(exited(0, { decision: 'block', reason: '***' }, ''));
    const stop = read('Stop');
    expect(codex.output.write(said(stop, { flow: { resume: 'go on' } }), stop)).toEqual(
      exited(2, '', 'go on\n'),
    );
  });
});

describe('a Codex hook', () => {
  const event = read('PreToolUse.Bash');
  const answer = (code: number, stdout: string, stderr = '', word = 'PreToolUse', about = event) =>
    codex.output.read({ kind: 'exited', code, stdout, stderr }, about, hookFor(word));

  test.each([
    ['exit 2 with a reason', 2, '', 'no', { effects: [{ kind: 'deny', reason: 'no' }] }],
    [
      'exit 2 without one, which Codex takes for a failure,',
      2,
      '',
      '',
      { effects: [{ kind: 'deny', reason: 'blocked by a hook that gave no reason' }] },
    ],
    [
      'a decision to block',
      0,
      '{"decision":"block","reason":"no"}',
      '',
      { effects: [{ kind: 'deny', reason: 'no' }] },
    ],
  ])('a Codex hook with %s refuses', (_, code, stdout, stderr, expected) => {
    expect(answer(code, stdout, stderr)).toEqual(expected);
  });

  test.each([
    ['exit 1', 1, ''],
    ['a bare allow', 0, '{"hookSpecificOutput":{"permissionDecision":"allow"}}'],
    ['to ask', 0, '{"hookSpecificOutput":{"permissionDecision":"ask"}}'],
    ['a key that Codex does not know', 0, '{"decision":"block","reason":"no","extra":1}'],
    ['a word of another event', 0, '{"hookSpecificOutput":{"hookEventName":"Stop"}}'],
  ])('a Codex hook with %s is a failure that lets the call pass, as in Codex', (_, code, stdout) => {
    const { effects, failed } = answer(code, stdout);
    expect([
      effects,
      failed !== undefined,
      codex.failure('PreToolUse', 'unreadable', hookFor('PreToolUse')),
    ]).toEqual([[], true, 'allow']);
  });

  test('plain text is context at session start and prompt submit, and ignored before a tool', () => {
    const start = read('SessionStart.startup');
    expect(answer(0, 'hello', '', 'SessionStart', start)).toEqual({
      effects: [{ kind: 'context', text: 'hello' }],
    });
    expect(answer(0, 'hello')).toEqual({ effects: [] });
  });

  test('a broken entry of hooks.json becomes a failing hook, and the other entries load', () => {
    const { hooks, problems } = codex.config.read(
      JSON.stringify({
        hooks: {
          PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'http' }, { type: 'command', command: 'x' }] }],
        },
      }),
      { layer: 'user', file: 'hooks.json' },
    );
    expect(hooks.map(({ run }) => run.kind)).toEqual(['missing', 'command']);
    expect(problems.map(({ message }) => message)).toEqual(['"http" handlers are not supported here.']);
  });
});
