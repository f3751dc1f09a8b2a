import { describe, expect, test } from 'vitest';
import {
  allow,
  ask,
  cancel,
  context,
  deny,
  give,
  halt,
  notice,
  resume,
  set,
} from '../../../events/effects.ts';
import type { Event } from '../../../events/event.ts';
import type { EventName } from '../../../events/events.ts';
import type { Reply } from '../../../events/exchange.ts';
import { GIFTS } from '../../../events/gifts.ts';
import type { Hook, Way } from '../../../events/hook.ts';
import type { Answer } from '../../../events/outcome.ts';
import { exited } from '../../shared/dialect/fixtures/replies.ts';
import { anyhook } from './index.ts';

const CALL = { tool: 'shell', input: { command: 'ls', timeout: 5 } };
const event = (name: EventName = 'tool.before', payload: object = CALL) =>
  ({ name, payload, ids: { session: 's' }, scene: { cwd: '/p' }, round: 1 }) as unknown as Event;
const hook = (kind: Way['kind'] = 'command') => ({ run: { kind } }) as Hook;
const read = (reply: Reply, on = event(), by = hook()): Answer => anyhook.output.read(reply, on, by);
const unreadable = (detail: string) => ({
  effects: [],
  failed: { kind: 'unreadable', detail: expect.stringContaining(detail) },
});
const NO_REASON = 'refused by a hook without a reason';
const deep = (levels: number) => `{"set":{"input":${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}}}`;

describe('plain text on stdout', () => {
  test.each(['session.start', 'prompt.submit'] as const)('becomes context for the model on %s', (name) => {
    expect(read(exited(0, 'Use pnpm here.\n'), event(name, {}))).toMatchObject({
      effects: [context('Use pnpm here.')],
    });
  });

  test('is only recorded on other events', () => {
    expect(read(exited(0, 'checked\n'))).toEqual({ effects: [], printed: 'checked\n' });
  });

  test('does not count as an answer if the command failed', () => {
    expect(read(exited(1, 'Use pnpm here.'), event('session.start', {}))).toMatchObject({ effects: [] });
  });
});

describe('an entry with "exit": "any"', () => {
  const anyExit = { run: { kind: 'command' }, extra: { exit: 'any' } } as unknown as Hook;

  test('keeps the agent working with the output of a failed command at turn.stop', () => {
    expect(read(exited(1, '2 tests failed\n'), event('turn.stop', {}), anyExit)).toMatchObject({
      effects: [resume('2 tests failed')],
    });
  });

  test('refuses a call with stdout and stderr as the reason', () => {
    expect(read(exited(7, 'a', 'b'), event(), anyExit)).toMatchObject({ effects: [deny('a\nb')] });
  });

  test('has no objection on exit 0', () => {
    expect(read(exited(0), event('turn.stop', {}), anyExit)).toEqual({ effects: [] });
  });

  test('is not needed for exit 2, and without it exit 1 is a failure', () => {
    expect(read(exited(1, '2 tests failed'), event('turn.stop', {}))).toMatchObject({
      effects: [],
      failed: { kind: 'failed' },
    });
  });
});

describe('command output and exit code', () => {
  test.each<[string, Reply, object]>([
    ['nothing, exit 0: no objection, no approval', exited(0), { effects: [] }],
    ['blank lines, exit 0', exited(0, '\r\n  \n'), { effects: [] }],
    ['exit 2, empty stderr: refused with a reason of ours', exited(2), { effects: [deny(NO_REASON)] }],
    [
      'exit 2 with stderr',
      exited(2, '', ' no push\r\n'),
      { effects: [deny('no push')], printed: ' no push\r\n' },
    ],
    [
      'exit 2 with an approval: refused all the same',
      exited(2, '{"decision":"allow"}', 'no'),
      { effects: [deny('no')], printed: 'no' },
    ],
    [
      'exit 2 with an approval among the effects',
      exited(2, '{"effects":[{"kind":"allow"},{"kind":"notice","text":"n"}]}'),
      { effects: [deny(NO_REASON), notice('n')] },
    ],
    [
      'exit 2 with its own refusal: said once',
      exited(2, '{"decision":"deny","reason":"r"}', 'r'),
      { effects: [deny('r')], printed: 'r' },
    ],
    [
      'exit 2 with nonsense',
      exited(2, '{"decision":'),
      { effects: [deny(NO_REASON)], printed: '{"decision":' },
    ],
    [
      'exit 1',
      exited(1, '', 'boom\n'),
      { effects: [], failed: { kind: 'failed', detail: 'ended with 1: boom' }, printed: 'boom\n' },
    ],
    ['exit 127', exited(127), { effects: [], failed: { kind: 'failed', detail: 'ended with 127' } }],
    [
      'exit 1 with a refusal: both count',
      exited(1, '{"decision":"deny","reason":"r"}'),
      { effects: [deny('r')], failed: { kind: 'failed', detail: 'ended with 1' } },
    ],
    [
      'exit 1 with an approval: only the failure counts',
      exited(1, '{"decision":"allow","input":{}}'),
      { effects: [], failed: { kind: 'failed', detail: 'ended with 1' } },
    ],
    [
      'partial JSON',
      exited(0, '{"decision":"al'),
      { ...unreadable('partial JSON'), printed: '{"decision":"al' },
    ],
    ['partial list', exited(0, '[1,'), { ...unreadable('partial JSON'), printed: '[1,' }],
    ['plain text', exited(0, 'all fine\n'), { effects: [], printed: 'all fine\n' }],
    ['a scalar', exited(0, 'true'), { effects: [], printed: 'true' }],
    [
      'a refusal after log lines tightens',
      exited(0, 'checking…\n{"decision":"deny","reason":"r"}\n'),
      { effects: [deny('r')], printed: 'checking…\n{"decision":"deny","reason":"r"}\n' },
    ],
    [
      'a refusal between log lines tightens',
      exited(0, 'a\n{"decision":"ask",\n"context":"c"}\nb'),
      { effects: [ask()], printed: 'a\n{"decision":"ask",\n"context":"c"}\nb' },
    ],
    [
      'halt and cancel after log lines',
      exited(0, 'a\n{"halt":"h"}\n{"cancel":true}'),
      { effects: [halt('h'), cancel()], printed: expect.any(String) },
    ],
    [
      'an approval after log lines',
      exited(0, 'a\n{"decision":"allow"}'),
      { ...unreadable('text around the JSON'), printed: expect.any(String) },
    ],
    [
      'a change after log lines',
      exited(0, 'a\n{"input":{}}'),
      { ...unreadable('text around the JSON'), printed: expect.any(String) },
    ],
    [
      'a refusal with a change after log lines: the refusal counts, the rest fails',
      exited(0, 'a\n{"decision":"deny","input":{}}'),
      {
        effects: [deny()],
        failed: { kind: 'unreadable', detail: expect.any(String) },
        printed: expect.any(String),
      },
    ],
    [
      'a refusal and an approval after log lines',
      exited(0, 'a\n{"decision":"deny"}\n{"decision":"allow"}'),
      {
        effects: [deny()],
        failed: { kind: 'unreadable', detail: expect.any(String) },
        printed: expect.any(String),
      },
    ],
    [
      'a torn answer after log lines',
      exited(0, 'a\n{"decision":"deny"'),
      { ...unreadable('incomplete'), printed: expect.any(String) },
    ],
    [
      'a twice-said answer after log lines',
      exited(0, 'a\n{"decision":"deny","decision":"allow"}'),
      { ...unreadable('incomplete'), printed: expect.any(String) },
    ],
    [
      'a log line that happens to be JSON',
      exited(0, 'a\n{"level":30,"msg":"x"}\n{ b: 1 }'),
      { effects: [], printed: expect.any(String) },
    ],
    [
      'two documents, of which one refuses',
      exited(0, '{"decision":"deny"}\n{"decision":"allow"}'),
      { ...unreadable('unexpected second document'), effects: [deny()], printed: expect.any(String) },
    ],
    [
      'text behind a document',
      exited(0, '{"decision":"allow"}\nbye'),
      { ...unreadable('unexpected text'), printed: expect.any(String) },
    ],
    ['a byte order mark', exited(0, '\uFEFF{"decision":"deny"}'), { effects: [deny()] }],
    ['CRLF and trailing spaces', exited(0, '{"decision":"deny"}  \r\n\r\n'), { effects: [deny()] }],
    ['a list', exited(0, '[]'), { ...unreadable('expected an object'), printed: '[]' }],
    ['an empty object', exited(0, '{}'), { effects: [] }],
    [
      'the wrong case',
      exited(0, '{"decision":"Deny"}'),
      { ...unreadable('"decision" is "Deny". Did you mean "deny"?'), printed: expect.any(String) },
    ],
    [
      'another dialect’s word',
      exited(0, '{"decision":"approve"}'),
      {
        ...unreadable('"decision" is "approve". Known: allow, ask, defer, deny.'),
        printed: expect.any(String),
      },
    ],
    [
      'a word that is no text',
      exited(0, '{"decision":true}'),
      { ...unreadable('"decision" is true'), printed: expect.any(String) },
    ],
    [
      'an unknown key',
      exited(0, '{"decison":"deny"}'),
      { ...unreadable('unknown key "decison". Did you mean "decision"?'), printed: expect.any(String) },
    ],
    [
      'an inherited name',
      exited(0, '{"toString":"x"}'),
      { ...unreadable('unknown key "toString"'), printed: expect.any(String) },
    ],
    [
      'a key written twice',
      exited(0, '{"decision":"deny","decision":"allow"}'),
      { ...unreadable('duplicate key'), printed: expect.any(String) },
    ],
    [
      '__proto__',
      exited(0, '{"__proto__":{"decision":"allow"}}'),
      { ...unreadable('__proto__'), printed: expect.any(String) },
    ],
    ['too deep', exited(0, deep(65)), { ...unreadable('64 levels'), printed: expect.any(String) }],
    [
      'a reason for nothing',
      exited(0, '{"reason":"fine"}'),
      { ...unreadable('a "reason" without a "decision"'), printed: expect.any(String) },
    ],
    [
      'a reason that is no text',
      exited(0, '{"decision":"deny","reason":5}'),
      { ...unreadable('"reason" is 5'), printed: expect.any(String) },
    ],
    [
      'an input that is not an object',
      exited(0, '{"input":"ls"}'),
      { ...unreadable('"input" is "ls"'), printed: expect.any(String) },
    ],
    [
      'a change of what cannot be changed',
      exited(0, '{"set":{"inptu":{}}}'),
      {
        ...unreadable('"inptu" of tool.before cannot be changed. Did you mean "input"?'),
        printed: expect.any(String),
      },
    ],
    [
      'a context that is no text',
      exited(0, '{"context":{}}'),
      { ...unreadable('"context" is {}'), printed: expect.any(String) },
    ],
    [
      'a gift nobody knows',
      exited(0, '{"give":{"what":"titel","value":1}}'),
      { ...unreadable('"give" offers "titel". Did you mean "title"?'), printed: expect.any(String) },
    ],
    [
      'an effect nobody knows',
      exited(0, '{"effects":[{"kind":"block"}]}'),
      { ...unreadable('unknown effect kind "block"'), printed: expect.any(String) },
    ],
    [
      'NUL and a replacement character in a text',
      {
        kind: 'exited',
        code: 0,
        stdout: '{"decision":"deny","reason":"\uFFFD\\u0000"}',
        stderr: '',
        notes: { replaced: true },
      },
      {
        ...unreadable('not valid UTF-8'),
        effects: [deny('\uFFFD\0')],
        notes: { replaced: true },
        printed: expect.any(String),
      },
    ],
    [
      'a raw NUL',
      exited(0, '{"decision":"allow"}\0'),
      { ...unreadable('NUL bytes'), printed: expect.any(String) },
    ],
    [
      'output cut at its limit, though what is left is a document',
      {
        kind: 'exited',
        code: 0,
        stdout: '{"decision":"allow"}',
        stderr: '',
        notes: { truncated: { stdout: 9 } },
      },
      { ...unreadable('was cut'), notes: { truncated: { stdout: 9 } }, printed: expect.any(String) },
    ],
  ])('a command with %s', (_, reply, expected) => {
    expect(read(reply)).toEqual(expected);
  });

  test.each<[EventName, object]>([
    ['tool.before', { effects: [deny('why')] }],
    ['prompt.submit', { effects: [deny('why')] }],
    ['turn.stop', { effects: [resume('why')] }],
    ['subagent.stop', { effects: [resume('why')] }],
    ['session.switching', { effects: [cancel('why')] }],
    ['compaction.before', { effects: [cancel('why')] }],
    [
      'session.end',
      { effects: [], failed: { kind: 'failed', detail: 'exit 2, but session.end cannot be refused: why' } },
    ],
    [
      'tool.after',
      { effects: [], failed: { kind: 'failed', detail: 'exit 2, but tool.after cannot be refused: why' } },
    ],
  ])('exit 2 on %s refuses with the effect of that event, or is a failure', (name, expected) => {
    expect(read(exited(2, '', 'why'), event(name, {}))).toEqual({ ...expected, printed: 'why' });
    const spoken = read(exited(0, '{"decision":"deny","reason":"why"}'), event(name, {})).effects;
    expect(spoken).toEqual('failed' in expected ? [deny('why')] : (expected as { effects: unknown }).effects);
  });

  test('a complete document may contain every effect', () => {
    const said = {
      decision: 'ask',
      reason: 'r',
      input: { command: 'ls -l' },
      context: ['a', 'b'],
      notice: 'n',
      halt: 'h',
      cancel: false,
      retry: true,
      give: { what: 'title', value: 't' },
      effects: [{ kind: 'set', at: ['input', 'cwd'], to: '/' }],
    };
    expect(read(exited(0, JSON.stringify(said)))).toEqual({
      effects: [
        ask('r'),
        set('input', 'command', 'ls -l'),
        { kind: 'set', at: ['input', 'timeout'] },
        context('a'),
        context('b'),
        notice('n'),
        halt('h'),
        { kind: 'retry' },
        give('title', 't'),
        set('input', 'cwd', '/'),
      ],
    });
  });

  test('the reason belongs to the turn if there is no decision', () => {
    expect(read(exited(0, '{"halt":true,"reason":"r"}'))).toEqual({ effects: [halt('r')] });
  });

  test('a hook that refuses and then fails still refuses', () => {
    const why = { kind: 'timed-out' } as const;
    expect(read({ kind: 'broken', why, stdout: '{"decision":"deny"}' })).toEqual({
      effects: [deny()],
      failed: why,
    });
    expect(read({ kind: 'broken', why, stdout: '{"decision":"allow"}' }).effects).toEqual([]);
  });
});

describe('the answer of a model', () => {
  const answered = (body: string, status = 200): Reply => ({ kind: 'answered', status, body });
  test.each<[string, object]>([
    ['{"ok":true}', { effects: [] }],
    ['{"ok":true,"reason":"fine"}', { effects: [] }],
    ['{"ok":false,"reason":"r"}', { effects: [deny('r')] }],
    ['{"decision":"allow"}', { effects: [allow()] }],
    ['```json\n{"ok":false}\n```\n', { effects: [deny()] }],
    ['Sure! {"ok":true}', unreadable('expected a value')],
    ['ok', unreadable('expected a value')],
    ['', unreadable('partial JSON')],
    ['{}', unreadable('either "ok" or "decision"')],
    ['{"ok":true,"decision":"allow"}', unreadable('either "ok" or "decision"')],
    ['{"ok":"true"}', unreadable('"ok" is "true"')],
    ['{"decision":"allow","input":{}}', unreadable('unknown key "input"')],
  ])('a model that answers %s', (body, expected) => {
    const { printed, ...answer } = read(answered(body), event(), hook('prompt'));
    expect(answer).toEqual(expected);
    expect(printed ?? '').toBe(body);
  });

  test('"not ok" makes an agent that wants to stop continue', () => {
    expect(
      read(answered('{"ok":false,"reason":"r"}'), event('turn.stop', {}), hook('prompt')).effects,
    ).toEqual([resume('r')]);
  });

  test('an HTTP error status is a failure, whatever the body contains', () => {
    expect(read(answered('{"decision":"allow"}', 500), event(), hook('http'))).toMatchObject({
      effects: [],
      failed: { kind: 'failed' },
    });
    expect(read(answered('{"decision":"allow"}', 200), event(), hook('http'))).toEqual({
      effects: [allow()],
    });
  });
});

describe('the return value of a function', () => {
  const returned = (value: unknown): Reply => ({ kind: 'returned', value, args: [] });
  test.each<[unknown, object]>([
    [undefined, { effects: [] }],
    [null, { effects: [] }],
    [[], { effects: [] }],
    [deny('r'), { effects: [deny('r')] }],
    [{ kind: 'deny', reason: undefined }, { effects: [deny()] }],
    [
      [allow(), context('c'), set('input', 'a', 1)],
      { effects: [allow(), context('c'), set('input', 'a', 1)] },
    ],
    [true, unreadable('true is not an effect')],
    ['deny', unreadable('"deny" is not an effect')],
    [{ decision: 'deny' }, unreadable('{"decision":"deny"} has no effect kind. Known: allow, ')],
    [
      deny,
      unreadable('a function is not an effect; expected an object with a kind, such as {"kind":"deny"}'),
    ],
    [{ kind: 'Deny' }, unreadable('Did you mean "deny"?')],
    [{ kind: 'toString' }, unreadable('unknown effect kind "toString"')],
    [{ kind: 'deny', reason: 5 }, unreadable('deny: "reason" is 5')],
    [{ kind: 'deny', reasn: 'x' }, unreadable('deny: unknown key "reasn". Did you mean "reason"?')],
    [{ kind: 'context' }, unreadable('context: "text" is undefined')],
    [{ kind: 'set', at: 'input', to: 1 }, unreadable('set: "at" is "input"')],
    [{ kind: 'set', at: ['tool'], to: 'x' }, unreadable('"tool" of tool.before cannot be changed')],
    [
      { kind: 'give', what: 'nothing', value: 1 },
      unreadable(`give: unknown gift "nothing". Known: ${Object.keys(GIFTS).join(', ')}.`),
    ],
    [
      { kind: 'give', what: 'environmet', value: 1 },
      unreadable('give: unknown gift "environmet". Did you mean "environment"?'),
    ],
    [[deny(), [deny()]], unreadable('is not an effect')],
    [Object.create({ kind: 'allow' }), unreadable('is not an effect')],
  ])('a function that returns %o', (value, expected) => {
    expect(read(returned(value))).toEqual(expected);
  });

  test('a value that throws when it is read is unreadable, and the reader does not throw', () => {
    const trap = new Proxy(
      {},
      {
        ownKeys() {
          throw new Error('trap');
        },
      },
    );
    expect(read(returned(trap))).toEqual(unreadable('trap'));
    const stranger = new Proxy(
      {},
      {
        ownKeys() {
          throw Object.create(null);
        },
      },
    );
    expect(read(returned(stranger))).toEqual(unreadable('cannot be read'));
  });

  test('a function that throws is a failure with its message', () => {
    expect(read({ kind: 'threw', message: 'boom', args: [] })).toEqual({
      effects: [],
      failed: { kind: 'failed', detail: 'boom' },
    });
  });
});
