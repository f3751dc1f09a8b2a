/** The effects of every kind of Opta hook result, and the answers for an Opta agent. */

import { describe, expect, test } from 'vitest';
import { allow, ask, context, deny, resume, set } from '../../../events/effects.ts';
import type { Event } from '../../../events/event.ts';
import type { Reply } from '../../../events/exchange.ts';
import { event, outcome } from '../../../testing/index.ts';
import { exited } from '../../shared/dialect/fixtures/replies.ts';
import { hookFromEntry } from './definition.ts';
import type { OptaEvent } from './names.ts';
import { output, updatedInput } from './output.ts';

const call = event('tool.before', { tool: 'shell', input: { command: 'rm x' } });
const stop = event('turn.stop', { active: false });
const end = event('session.end', { reason: 'exit' });
const hook = (protocol?: 'json') =>
  hookFromEntry(
    { event: 'tool.pre' as OptaEvent, command: 'true', ...(protocol && { protocol }) },
    { layer: 'user', file: 'config.json', index: 0, line: 1 },
  );
const plain = (reply: Reply, about: Event = call) => output.read(reply, about, hook());
const json = (reply: Reply, about: Event = call) => output.read(reply, about, hook('json'));
const NO_REASON = 'blocked by an Opta hook without a reason';
const NO = '{"decision":"deny","reason":"no"}';
const unreadable = (detail: string) => ({ kind: 'unreadable', detail });
const failed = (detail: string) => ({ kind: 'failed', detail });

describe('an exit code', () => {
  test('exit 0 is no objection, and output is recorded', () => {
    expect([plain(exited(0)), plain(exited(0, NO, 'aside'))]).toEqual([
      { effects: [] },
      { effects: [], printed: `${NO}\naside` },
    ]);
  });

  test('any other exit code refuses with stderr as the reason', () => {
    expect([plain(exited(1, 'out', ' no\n')), plain(exited(2)), plain(exited(1, '', 'no'), stop)]).toEqual([
      { effects: [deny('no')], printed: 'out\n no\n' },
      { effects: [deny(NO_REASON)] },
      { effects: [resume('no')], printed: 'no' },
    ]);
  });

  test('a refusing exit code is a failure on events that cannot be refused', () => {
    expect(plain(exited(3), end)).toEqual({ effects: [], failed: failed('exit 3') });
  });

  test('the exit code of a shell that found no program refuses a guarded call, and lets the agent stop', () => {
    expect([126, 127, 125].flatMap((code) => [plain(exited(code)), plain(exited(code), stop)])).toEqual([
      { effects: [deny(NO_REASON)] },
      { effects: [], failed: failed('exit 126') },
      { effects: [deny(NO_REASON)] },
      { effects: [], failed: failed('exit 127') },
      { effects: [deny(NO_REASON)] },
      { effects: [resume(NO_REASON)] },
    ]);
  });

  test("an exit code keeps the runner's notes", () => {
    const notes = { held: true } as const;
    expect(plain({ kind: 'exited', code: 0, stdout: '', stderr: '', notes })).toEqual({ effects: [], notes });
  });
});

describe('with "protocol": "json"', () => {
  test('the whole stdout is one JSON answer or none', () => {
    const none = 'the answer is not a single JSON object';
    expect([
      json(exited(0, NO)),
      json(exited(0, ' \n')),
      json(exited(0, 'hello')),
      json(exited(0, `log\n${NO}\n{"decision":"allow"}`)),
      json(exited(0, '{"decision":"allow"')),
    ]).toEqual([
      { effects: [deny('no')], printed: NO },
      { effects: [], printed: ' \n' },
      { effects: [], failed: unreadable(none), printed: 'hello' },
      { effects: [deny('no')], failed: unreadable(none), printed: `log\n${NO}\n{"decision":"allow"}` },
      {
        effects: [],
        failed: unreadable(expect.stringContaining('partial JSON') as never),
        printed: '{"decision":"allow"',
      },
    ]);
  });

  test('truncated JSON output is uncertain', () => {
    const notes = { truncated: { stdout: 3 } };
    expect(json({ kind: 'exited', code: 0, stdout: NO, stderr: '', notes })).toEqual({
      effects: [deny('no')],
      failed: unreadable('the output was cut at its limit, and the missing part may contain the answer'),
      printed: NO,
      notes,
    });
  });

  test('a refusal by exit code stands; a verdict in the JSON does not count, its context and changes do', () => {
    const said = { decision: 'allow', updatedInput: { command: 'ls' }, additionalContext: 'know' };
    expect(json(exited(1, JSON.stringify(said), 'no')).effects).toEqual([
      deny('no'),
      set('input', 'command', 'ls'),
      context('know'),
    ]);
    expect(json(exited(1, '{"decision":"ask"}', 'no')).effects).toEqual([deny('no')]);
  });

  test('an approval next to a failure does not count, and everything else does', () => {
    const said = (decision: string) => JSON.stringify({ decision, additionalContext: 'know' });
    expect([json(exited(3, said('allow')), end), json(exited(3, said('ask')), end)]).toEqual([
      { effects: [context('know')], failed: failed('exit 3'), printed: said('allow') },
      { effects: [ask(), context('know')], failed: failed('exit 3'), printed: said('ask') },
    ]);
    expect(json(exited(0, said('allow'))).effects).toEqual([allow(), context('know')]);
  });
});

describe('another reply', () => {
  test('the reply of a model is its judgement', () => {
    expect(plain({ kind: 'answered', status: 200, body: '{"ok":false,"reason":"no"}' })).toEqual({
      effects: [deny('no')],
    });
  });

  test('an aborted hook can refuse if it uses JSON', () => {
    const broken: Reply = { kind: 'broken', why: { kind: 'killed' }, stdout: NO };
    expect([json(broken), plain(broken)]).toEqual([
      { effects: [deny('no')], failed: { kind: 'killed' } },
      { effects: [], failed: { kind: 'killed' } },
    ]);
  });

  test('other kinds of replies are not supported', () => {
    expect(plain({ kind: 'returned', value: 1, args: [] })).toEqual({
      effects: [],
      failed: unreadable('a returned reply'),
    });
  });
});

describe('an answer for an Opta agent', () => {
  const told = (parts: Parameters<typeof outcome>[1], about: Event = call) =>
    output.write(outcome(about, parts), about);

  test('an empty outcome writes nothing', () => {
    expect(told({})).toEqual(exited(0));
  });

  test('a refusal is written as exit code, reason and JSON', () => {
    expect(told({ verdict: 'deny', reasons: [{ by: 'h', text: 'no' }] })).toEqual(exited(1, NO, 'no'));
    expect(told({ flow: { resume: 'go on' } }, stop)).toEqual(
      exited(1, '{"decision":"deny","reason":"go on"}', 'go on'),
    );
  });

  test('verdicts, the whole changed input and context for the model are written', () => {
    const payload = { tool: 'shell', input: { command: 'ls', cwd: '/' } };
    expect([
      told({ verdict: 'allow' }),
      told({ payload, changed: [{ by: 'h', at: 'input.command' }] }),
      told({
        said: [
          { by: 'h', to: 'model', text: 'a' },
          { by: 'h', to: 'model', text: 'b' },
          { by: 'h', to: 'person', text: 'c' },
        ],
      }),
    ]).toEqual([
      exited(0, '{"decision":"allow"}'),
      exited(0, '{"updatedInput":{"command":"ls","cwd":"/"}}'),
      exited(0, '{"additionalContext":"a\\nb"}'),
    ]);
  });

  test('changed fields of other events are written', () => {
    const prompt = event('prompt.submit', { prompt: 'hello' });
    const changed = outcome(prompt, {
      payload: { prompt: 'other', images: [] },
      changed: [{ by: 'h', at: 'prompt' }],
    });
    expect(updatedInput(changed, prompt)).toEqual({ prompt: 'other' });
    const deep = outcome(prompt, { payload: { a: { b: 1 }, c: 2 }, changed: [{ by: 'h', at: 'a.b' }] });
    expect(updatedInput(deep, prompt)).toEqual({ a: { b: 1 } });
  });
});
