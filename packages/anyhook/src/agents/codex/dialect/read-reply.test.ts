/** What each way in which a hook of Codex can end and speak comes to, as a whole. */
import { describe, expect, test } from 'vitest';
import type { Event } from '../../../events/event.ts';
import type { Reply } from '../../../events/exchange.ts';
import { event } from '../../../testing/event.ts';
import { hookFor } from './fixtures/hook-for.ts';
import { type CodexWord, codex } from './index.ts';
import { exited, unreadable } from '../../shared/dialect/fixtures/replies.ts';

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
  test('that returned is its value; nothing is no objection', () => {
    expect([
      read({ kind: 'returned', value: undefined, args: [] }),
      read({ kind: 'returned', value: { decision: 'block', reason: 'no' }, args: [] }),
      read({ kind: 'returned', value: [], args: [] }),
    ]).toEqual([
      { effects: [] },
      { effects: [deny('no')] },
      unreadable('[] is no answer: an object is expected'),
    ]);
  });

  test('that threw has failed; one that was broken off can refuse, and nothing else', () => {
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

  test("carries the runner's notes, and is unsure where its output was cut", () => {
    const notes = { truncated: { stdout: 5 } };
    const cut = 'the output was cut at its limit, and the missing part may contain the answer';
    expect(read({ kind: 'exited', code: 0, stdout: 'x', stderr: '', notes })).toEqual({
      ...unreadable(cut),
      notes,
    });
  });
});

describe('an exit', () => {
  test('of 2 refuses by what the event can do, with stderr as its reason', () => {
    const no = (word: Word) => read(exited(2, '', ' no\n'), word);
    expect([no('PreToolUse'), no('Stop'), no('PostToolUse'), no('SessionStart')]).toEqual([
      { effects: [deny('no')] },
      { effects: [{ kind: 'resume', reason: 'no' }] },
      { effects: [{ kind: 'set', at: ['content'], to: [{ type: 'text', text: 'no' }] }] },
      unreadable('exit 2 blocks no SessionStart'),
    ]);
    expect(read(exited(2, '', ' '))).toEqual({ effects: [deny(NO_REASON)] });
  });

  test('of 2 keeps what was printed and holds back in another way', () => {
    expect([
      says({ continue: false, stopReason: 'end', systemMessage: 'hi' }, 'UserPromptSubmit', 2),
      says({ continue: false, stopReason: 'end' }, 'SessionStart', 2),
      says({ decision: 'block', reason: 'other' }, 'PreToolUse', 2),
    ]).toEqual([
      { effects: [deny(NO_REASON), { kind: 'halt', reason: 'end' }] },
      unreadable('exit 2 blocks no SessionStart', { kind: 'halt', reason: 'end' }),
      { effects: [deny(NO_REASON)] },
    ]);
  });

  test('of another number is a failure, in which a refusal still counts', () => {
    expect([
      read(exited(1, '{"decision":"block","reason":"no"}', ' bug\n')),
      read(exited(1, '{"systemMessage":"hi"}')),
    ]).toEqual([
      { effects: [deny('no')], failed: { kind: 'failed', detail: 'exit 1: bug' } },
      { effects: [], failed: { kind: 'failed', detail: 'exit 1: ' } },
    ]);
  });
});

describe('text', () => {
  test('is context where Codex reads it so, a fault where a stop is asked about, else nothing', () => {
    const text = (word: Word) => read(exited(0, ' hello\n'), word);
    expect([text('UserPromptSubmit'), text('Stop'), text('PreToolUse')]).toEqual([
      { effects: [context('hello')] },
      unreadable('text that is no JSON'),
      { effects: [] },
    ]);
    expect(read(exited(0, ' '))).toEqual({ effects: [] });
  });

  test('with an answer in it can only tighten', () => {
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
      unreadable('an answer among other text', deny('no')),
      unreadable('an answer among other text', deny('no')),
      { effects: [context('log\n{"continue":true}')], notes: { doubt: 'an answer among other text' } },
      unreadable('an answer among other text'),
      unreadable(doubt),
      { effects: [context(inLine)], notes: { doubt } },
    ]);
  });

  test('that wants to be an answer and is none is unreadable, and a refusal on a line of it counts', () => {
    const torn = read(exited(0, '{"decision":\n{"decision":"block","reason":"no"}'));
    expect([torn.effects, torn.failed?.kind]).toEqual([[deny('no')], 'unreadable']);
  });
});

describe('a document', () => {
  test('has known keys alone, and the name of this event', () => {
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

  test('tells person and model where Codex listens', () => {
    const told = { systemMessage: 'look', hookSpecificOutput: { additionalContext: 'know' } };
    expect([says(told), says(told, 'PermissionRequest'), says({ systemMessage: ' ' })]).toEqual([
      { effects: [context('know'), { kind: 'notice', text: 'look' }] },
      { effects: [] },
      { effects: [] },
    ]);
  });

  test('ends what the event can end, and is void where that is nothing', () => {
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

  test('decides by one word alone, with a reason, where something can be decided', () => {
    expect([
      says({ decision: 'approve', reason: 'r' }),
      says({ decision: 'block' }),
      says({ decision: 'block', reason: 'no' }, 'PostToolUse'),
      says({ decision: 'block', reason: 'no' }, 'SessionEnd'),
    ]).toEqual([
      unreadable('decision "approve" is not read'),
      unreadable('"decision": "block" wants a "reason"'),
      { effects: [{ kind: 'set', at: ['content'], to: [{ type: 'text', text: 'no' }] }] },
      unreadable('nothing can be blocked on SessionEnd'),
    ]);
  });

  test('judges a call by a refusal with its reason, or a change with an approval', () => {
    const form = '"permissionDecision" is deny with a reason, or allow with "updatedInput"';
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
      unreadable('a deny wants a "permissionDecisionReason"'),
      { effects: [{ kind: 'set', at: ['input', 'command'], to: 'ls' }] },
      unreadable(form),
      unreadable(form),
      unreadable(form),
      { effects: [] },
    ]);
  });

  test('answers a question of permission, and only there', () => {
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
      { effects: [deny('refused by a hook that gave no reason')] },
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
  test.each(Object.keys(DAMAGED))('%s refuses, in every form that says no', (name) => {
    const kinds = NO.map((answer) => read(DAMAGED[name]!(answer)).effects.map(({ kind }) => kind));
    expect(kinds).toEqual(NO.map(() => ['deny']));
  });
  test.each(Object.keys(DAMAGED))('%s is nothing if the answer allows', (name) => {
    const answer = '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow"}}';
    expect(read(DAMAGED[name]!(answer)).effects).toEqual([]);
  });
});
