/** Tests the effects of every kind of Codex hook result. */

import { describe, expect, test } from 'vitest';
import type { Event } from '../../../events/event.ts';
import type { Reply } from '../../../events/exchange.ts';
import { event } from '../../../testing/event.ts';
import { exited, unreadable } from '../../shared/dialect/fixtures/replies.ts';
import { hookFor } from './fixtures/hook-for.ts';
import { type CodexWord, codex } from './index.ts';

const call = { tool: 'shell', input: { command: 'rm x' } };
const EVENTS = {
  PreToolUse: event('tool.before', call),
  PermissionRequest: event('tool.permission', call),
  PostToolUse: event('tool.after', { ...call, content: [] }),
  UserPromptSubmit: event('prompt.submit', { prompt: 'hello' }),
  Stop: event('turn.stop', { active: false }),
  SessionStart: event('session.start', { source: 'startup' }),
  SessionEnd: event('session.end', { reason: 'exit' }),
  PreCompact: event('compaction.before', { trigger: 'auto' }),
} satisfies Partial<Record<CodexWord, Event>>;
type Word = keyof typeof EVENTS;

const read = (reply: Reply, word: Word = 'PreToolUse') =>
  codex.output.read(reply, EVENTS[word], hookFor(word));
const says = (document: object, word: Word = 'PreToolUse', code = 0) =>
  read(exited(code, JSON.stringify(document)), word);
const specific = (fields: object, word: Word = 'PreToolUse') => says({ hookSpecificOutput: fields }, word);
const deny = (reason: string) => ({ kind: 'deny', reason });
const context = (text: string) => ({ kind: 'context', text });
const NO_REASON = 'blocked by a hook that gave no reason';

describe('a reply', () => {
  test('a returned value is the answer, and undefined means no objection', () => {
    expect([
      read({ kind: 'returned', value: undefined, args: [] }),
      read({ kind: 'returned', value: { decision: 'block', reason: 'no' }, args: [] }),
      read({ kind: 'returned', value: [], args: [] }),
    ]).toEqual([
      { effects: [] },
      { effects: [deny('no')] },
      unreadable('[] is not an answer; expected an object'),
    ]);
  });

  test('a thrown error is a failure, and an aborted hook can only refuse', () => {
    expect([
      read({ kind: 'threw', message: 'bug', args: [] }),
      read({ kind: 'broken', why: { kind: 'killed' }, stdout: '{"decision":"block","reason":"no"}' }),
      read({ kind: 'broken', why: { kind: 'killed' }, stdout: 'hello' }, 'SessionStart'),
    ]).toEqual([
      { effects: [], failed: { kind: 'failed', detail: 'bug' } },
      { effects: [deny('no')], failed: { kind: 'killed' } },
      { effects: [], failed: { kind: 'killed' } },
    ]);
  });

  test("a reply keeps the runner's notes, and truncated output makes it uncertain", () => {
    const notes = { truncated: { stdout: 5 } };
    const cut = 'the output was cut at its limit, and the missing part may contain the answer';
    expect(read({ kind: 'exited', code: 0, stdout: 'x', stderr: '', notes })).toEqual({
      ...unreadable(cut),
      notes,
    });
  });
});

describe('an exit code', () => {
  test('exit 2 refuses with the effect of the event, and stderr is the reason', () => {
    const no = (word: Word) => read(exited(2, '', ' no\n'), word);
    expect([no('PreToolUse'), no('Stop'), no('PostToolUse'), no('SessionStart')]).toEqual([
      { effects: [deny('no')] },
      { effects: [{ kind: 'resume', reason: 'no' }] },
      { effects: [{ kind: 'set', at: ['content'], to: [{ type: 'text', text: 'no' }] }] },
      unreadable('exit 2 does not block SessionStart'),
    ]);
    expect(read(exited(2, '', ' '))).toEqual({ effects: [deny(NO_REASON)] });
  });

  test('exit 2 keeps printed effects and other refusals', () => {
    expect([
      says({ continue: false, stopReason: 'end', systemMessage: 'hi' }, 'UserPromptSubmit', 2),
      says({ continue: false, stopReason: 'end' }, 'SessionStart', 2),
      says({ decision: 'block', reason: 'other' }, 'PreToolUse', 2),
    ]).toEqual([
      { effects: [deny(NO_REASON), { kind: 'halt', reason: 'end' }] },
      unreadable('exit 2 does not block SessionStart', { kind: 'halt', reason: 'end' }),
      { effects: [deny(NO_REASON)] },
    ]);
  });

  test('another exit code is a failure, in which a printed refusal still counts', () => {
    expect([
      read(exited(1, '{"decision":"block","reason":"no"}', ' bug\n')),
      read(exited(1, '{"systemMessage":"hi"}')),
    ]).toEqual([
      { effects: [deny('no')], failed: { kind: 'failed', detail: 'exit 1: bug' } },
      { effects: [], failed: { kind: 'failed', detail: 'exit 1: ' } },
    ]);
  });
});

describe('text output', () => {
  test('text output is context where Codex reads it so, an error at a stop, and otherwise ignored', () => {
    const text = (word: Word) => read(exited(0, ' hello\n'), word);
    expect([text('UserPromptSubmit'), text('Stop'), text('PreToolUse')]).toEqual([
      { effects: [context('hello')] },
      unreadable('the output is not JSON'),
      { effects: [] },
    ]);
    expect(read(exited(0, ' '))).toEqual({ effects: [] });
  });

  test('text output that contains an answer can only tighten', () => {
    const mixed = (document: string, word: Word) => read(exited(0, `log\n${document}`), word);
    const inLine = 'log {"decision":"block"}';
    const doubt = 'text that looks like an answer is in the middle of other text';
    expect([
      mixed('{"decision":"block","reason":"no"}', 'PreToolUse'),
      mixed('{"decision":"block","reason":"no"}', 'UserPromptSubmit'),
      mixed('{"continue":true}', 'UserPromptSubmit'),
      mixed(
        '{"hookSpecificOutput":{"permissionDecision":"allow","updatedInput":{"command":"ls"}}}',
        'PreToolUse',
      ),
      read(exited(0, inLine)),
      read(exited(0, inLine), 'UserPromptSubmit'),
    ]).toEqual([
      unreadable('the output has text around the JSON answer', deny('no')),
      unreadable('the output has text around the JSON answer', deny('no')),
      {
        effects: [context('log\n{"continue":true}')],
        notes: { doubt: 'the output has text around the JSON answer' },
      },
      unreadable('the output has text around the JSON answer'),
      unreadable(doubt),
      { effects: [context(inLine)], notes: { doubt } },
    ]);
  });

  test('text output with a broken answer is unreadable, and a refusal on one of its lines counts', () => {
    const torn = read(exited(0, '{"decision":\n{"decision":"block","reason":"no"}'));
    expect([torn.effects, torn.failed?.kind]).toEqual([[deny('no')], 'unreadable']);
  });
});

describe('an answer', () => {
  test('an answer may only have known keys and the name of this event', () => {
    expect([
      says({ decisions: 'block' }),
      says({ decisions: 'x' }),
      says({ suppressOutput: true, stopReason: 's', reason: 'r' }),
      specific({ hookEventName: 'Stop' }),
      specific({ hookEventName: 'PreToolUse', additionalContext: 'know' }),
      says({ hookSpecificOutput: 'x' }),
    ]).toEqual([
      unreadable('unknown key "decisions". Did you mean "decision"?'),
      unreadable('unknown key "decisions"'),
      { effects: [] },
      unreadable('"hookEventName" is "Stop", the event is PreToolUse'),
      { effects: [context('know')] },
      { effects: [] },
    ]);
  });

  test('an answer adds context for the model and notices for the user where Codex reads them', () => {
    const told = { systemMessage: 'look', hookSpecificOutput: { additionalContext: 'know' } };
    expect([says(told), says(told, 'PermissionRequest'), says({ systemMessage: ' ' })]).toEqual([
      { effects: [context('know'), { kind: 'notice', text: 'look' }] },
      { effects: [] },
      { effects: [] },
    ]);
  });

  test('an answer with `continue: false` stops events that can be stopped, and is discarded elsewhere', () => {
    const end = { continue: false, stopReason: 'end' };
    expect([
      says(end, 'Stop'),
      says({ continue: false }, 'Stop'),
      says(end, 'PreCompact'),
      says(end, 'PreToolUse'),
      says({ continue: true }, 'PreToolUse'),
    ]).toEqual([
      { effects: [{ kind: 'halt', reason: 'end' }] },
      { effects: [{ kind: 'halt' }] },
      { effects: [{ kind: 'cancel', reason: 'end' }] },
      unreadable('"continue" means nothing on PreToolUse'),
      { effects: [] },
    ]);
  });

  test('an answer decides only with one value and a reason, on events that can be decided', () => {
    expect([
      says({ decision: 'approve', reason: 'r' }),
      says({ decision: 'block' }),
      says({ decision: 'block', reason: 'no' }, 'PostToolUse'),
      says({ decision: 'block', reason: 'no' }, 'SessionEnd'),
    ]).toEqual([
      unreadable('decision "approve" is not read'),
      unreadable('"decision": "block" needs a "reason"'),
      { effects: [{ kind: 'set', at: ['content'], to: [{ type: 'text', text: 'no' }] }] },
      unreadable('nothing can be blocked on SessionEnd'),
    ]);
  });

  test('an answer to a call refuses with a reason, or approves with a change', () => {
    const form = '"permissionDecision" must be deny with a reason, or allow with "updatedInput"';
    const updatedInput = { command: 'ls' };
    expect([
      specific({ permissionDecision: 'deny', permissionDecisionReason: 'no' }),
      specific({ permissionDecision: 'deny' }),
      specific({ permissionDecision: 'allow', updatedInput }),
      specific({ permissionDecision: 'allow' }),
      specific({ permissionDecision: 'ask' }),
      specific({ updatedInput }),
      specific({ permissionDecision: 'deny', permissionDecisionReason: 'no' }, 'PostToolUse'),
    ]).toEqual([
      { effects: [deny('no')] },
      unreadable('a deny needs a "permissionDecisionReason"'),
      { effects: [{ kind: 'set', at: ['input', 'command'], to: 'ls' }] },
      unreadable(form),
      unreadable(form),
      unreadable(form),
      { effects: [] },
    ]);
  });

  test('an answer to a permission request is only accepted there', () => {
    const asked = (decision: unknown, word: Word = 'PermissionRequest') => specific({ decision }, word);
    expect([
      asked({ behavior: 'allow' }),
      asked({ behavior: 'deny', message: 'no' }),
      asked({ behavior: 'deny' }),
      asked({ behavior: 'later' }),
      asked('allow'),
      asked({ behavior: 'allow' }, 'PreToolUse'),
      asked({ behavior: 'deny' }, 'PreToolUse'),
    ]).toEqual([
      { effects: [{ kind: 'allow' }] },
      { effects: [deny('no')] },
      { effects: [deny('refused by a hook without a reason')] },
      { effects: [] },
      { effects: [] },
      { effects: [] },
      { effects: [] },
    ]);
  });
});

describe('a refusal in damaged output', () => {
  const NO = [
    '{"decision":"block","reason":"no"}',
    '{"decision":"block"}',
    '{"decision":"deny","reason":"no"}',
    '{"decision":"block","reason":"no","extra":1}',
    '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny"}}',
    '{"hookSpecificOutput":{"permissionDecision":"deny","permissionDecisionReason":"no"}}',
  ];
  const DAMAGED: Readonly<Record<string, (answer: string) => Reply>> = {
    'after a NUL': (answer) => exited(0, `\0${answer}`),
    'after text and a NUL': (answer) => exited(0, `checking\0${answer}`),
    'in UTF-16': (answer) => exited(0, Buffer.from(answer, 'utf16le').toString('utf8')),
    'of a hook that was killed': (stdout) => ({ kind: 'broken', why: { kind: 'killed' }, stdout }),
    'of a hook that timed out': (stdout) => ({ kind: 'broken', why: { kind: 'timed-out' }, stdout }),
    'of a hook that exits with 1': (answer) => exited(1, answer),
  };
  test.each(Object.keys(DAMAGED))('damaged output refuses in every format: %s', (name) => {
    const kinds = NO.map((answer) => read(DAMAGED[name]!(answer)).effects.map(({ kind }) => kind));
    expect(kinds).toEqual(NO.map(() => ['deny']));
  });
  test.each(Object.keys(DAMAGED))('damaged output has no effect if the answer allows: %s', (name) => {
    const answer = '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow"}}';
    expect(read(DAMAGED[name]!(answer)).effects).toEqual([]);
  });
});
