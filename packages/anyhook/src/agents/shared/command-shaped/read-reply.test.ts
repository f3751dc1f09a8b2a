/** Tests the effects of every kind of hook result, for the terms of a sample agent. */

import { describe, expect, test } from 'vitest';
import type { Event } from '../../../events/event.ts';
import type { Reply } from '../../../events/exchange.ts';
import type { Hook } from '../../../events/hook.ts';
import { NO_TOOLS } from '../../../events/tools.ts';
import { event } from '../../../testing/event.ts';
import { exited, unreadable } from '../dialect/fixtures/replies.ts';
import { readerOf } from './read-reply.ts';
import type { AnswerForms, AnswerReading } from './terms.ts';

const call = event('tool.before', { tool: 'shell', input: { command: 'rm x' } });
const ROWS = {
  Before: { on: 'tool.before', matcher: null, block: 'deny' },
  BeforeShell: { on: 'tool.before', matcher: null, block: 'deny' },
  After: { on: 'tool.after', matcher: null, block: 'tell', context: true },
  Prompt: { on: 'prompt.submit', matcher: null, block: 'deny', context: true, plain: true },
  Stop: { on: 'turn.stop', matcher: null, block: 'resume' },
  Start: { on: 'session.start', matcher: null, block: null },
} as const;
const EVENTS: Record<Word, Event> = {
  Before: call,
  BeforeShell: call,
  After: event('tool.after', { tool: 'shell', input: {}, content: [] }),
  Prompt: event('prompt.submit', { prompt: 'hello' }),
  Stop: event('turn.stop', { active: false }),
  Start: event('session.start', { source: 'startup' }),
};
type Word = keyof typeof ROWS;
const HEARING: AnswerReading = {
  decisions: (block) => (block === null ? [] : ['block', 'deny']),
  flat: 'no',
  changes: ['updatedInput', 'modifiedArgs'],
  refusingExit: (code) => code === 2,
};

function read(
  reply: Reply,
  word: Word = 'Before',
  reading: Partial<AnswerReading> = {},
  answers?: AnswerForms,
) {
  const reader = readerOf({
    events: ROWS,
    tools: NO_TOOLS,
    shown: 'Some Agent',
    reading: { ...HEARING, ...reading },
    ...(answers && { answers }),
  });
  return reader(reply, EVENTS[word], { on: word } as Hook);
}
const says = (document: object, word: Word = 'Before', reading: Partial<AnswerReading> = {}, code = 0) =>
  read(exited(code, JSON.stringify(document)), word, reading);
const specific = (fields: object, word: Word = 'Before', reading: Partial<AnswerReading> = {}) =>
  says({ hookSpecificOutput: fields }, word, reading);
const NO_REASON = 'blocked by a hook that gave no reason';
const deny = (reason = NO_REASON) => ({ kind: 'deny', reason });
const context = (text: string) => ({ kind: 'context', text });
const FLAT = { flat: 'yes' } as const;
const change = { kind: 'set', at: ['input', 'command'], to: 'ls' };

describe('a reply', () => {
  test('a returned value is the answer, and undefined means no objection', () => {
    expect([
      read({ kind: 'returned', value: undefined, args: [] }),
      read({ kind: 'returned', value: { decision: 'deny', reason: 'no' }, args: [] }),
      read({ kind: 'returned', value: 'no', args: [] }),
    ]).toEqual([
      { effects: [] },
      { effects: [deny('no')] },
      unreadable('"no" is not an answer; expected an object'),
    ]);
  });

  test('an HTTP reply is not supported, a thrown error is a failure, and an aborted hook can refuse', () => {
    expect([
      read({ kind: 'answered', status: 200, body: '{}' }),
      read({ kind: 'threw', message: 'bug', args: [] }),
      read({ kind: 'broken', why: { kind: 'timed-out' }, stdout: '{"decision":"deny"}' }),
    ]).toEqual([
      unreadable('Some Agent does not support HTTP hooks'),
      { effects: [], failed: { kind: 'failed', detail: 'bug' } },
      { effects: [deny()], failed: { kind: 'timed-out' } },
    ]);
  });

  test("a reply keeps the runner's notes, and truncated output makes it uncertain", () => {
    const notes = { truncated: { stdout: 5 } };
    expect(read({ kind: 'exited', code: 0, stdout: 'x', stderr: '', notes })).toEqual({
      ...unreadable('the output was cut at its limit, and the missing part may contain the answer'),
      notes,
    });
  });
});

describe('an exit code', () => {
  test('a refusing exit code has the effect of the event, with stderr as the reason', () => {
    const no = (word: Word, stderr = ' no\n') => read(exited(2, '', stderr), word);
    expect([no('Before'), no('Before', ' '), no('Stop'), no('After'), no('Start')]).toEqual([
      { effects: [deny('no')] },
      { effects: [deny()] },
      { effects: [{ kind: 'resume', reason: 'no' }] },
      { effects: [context('no')] },
      unreadable('exit 2 does not block Start'),
    ]);
  });

  test('a refusing exit code keeps printed effects and other refusals', () => {
    const end = { continue: false, stopReason: 'end', systemMessage: 'hi' };
    expect([says(end, 'Before', {}, 2), says({ decision: 'deny', reason: 'own' }, 'Before', {}, 2)]).toEqual([
      { effects: [deny(), { kind: 'halt', reason: 'end' }] },
      { effects: [deny()] },
    ]);
  });

  test('whether an exit code refuses depends on the code and the event row', () => {
    const asked: unknown[] = [];
    const refusingExit: AnswerReading['refusingExit'] = (...about) => (asked.push(about), true);
    expect([read(exited(7, '', 'no'), 'Stop', { refusingExit }), asked]).toEqual([
      { effects: [{ kind: 'resume', reason: 'no' }] },
      [[7, ROWS.Stop]],
    ]);
  });

  test('a non-refusing exit code is a failure, in which a printed refusal still counts', () => {
    expect([
      read(exited(1, '{"decision":"deny"}', ' bug\n')),
      read(exited(1, '{"systemMessage":"hi"}')),
    ]).toEqual([
      { effects: [deny()], failed: { kind: 'failed', detail: 'exit 1: bug' } },
      { effects: [], failed: { kind: 'failed', detail: 'exit 1: ' } },
    ]);
  });
});

describe('text output', () => {
  test('text output is context if the event row allows it, and ignored elsewhere', () => {
    expect([read(exited(0, ' hello\n'), 'Prompt'), read(exited(0, 'hello')), read(exited(0, ' '))]).toEqual([
      { effects: [context('hello')] },
      { effects: [] },
      { effects: [] },
    ]);
  });

  test('text output that contains an answer can only tighten', () => {
    const inLine = 'log {"decision":"deny"}';
    const doubt = 'text that looks like an answer is in the middle of other text';
    expect([
      read(exited(0, 'log\n{"decision":"deny","reason":"no"}')),
      read(exited(0, 'log\n{"decision":"deny","reason":"no"}'), 'Prompt'),
      read(exited(0, 'log\n{"continue":true}'), 'Prompt'),
      read(exited(0, 'log\n{"modifiedArgs":{"command":"ls"}}'), 'Before', FLAT),
      read(exited(0, inLine)),
      read(exited(0, inLine), 'Prompt'),
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
    const torn = read(exited(0, '{"decision":\n{"decision":"deny","reason":"no"}'));
    expect([torn.effects, torn.failed?.kind]).toEqual([[deny('no')], 'unreadable']);
  });

  test("text output is recognised as an answer by the agent's own keys too", () => {
    const answers: AnswerForms = {
      keys: ['permission'],
      read: ({ permission, ...said }) => ({ ...said, decision: permission }),
      write: (answer) => answer,
    };
    expect([
      read(exited(0, 'log\n{"permission":"deny","reason":"no"}'), 'Before', {}, answers),
      read(exited(0, '{"permission":"deny"}'), 'Before', {}, answers),
      read(exited(0, 'log\n{"permission":"deny"}')),
    ]).toEqual([
      unreadable('the output has text around the JSON answer', deny('no')),
      { effects: [deny()] },
      { effects: [] },
    ]);
  });
});

describe('a decision', () => {
  test('a decision refuses by the values that the agent reads, with or without a reason', () => {
    expect([
      says({ decision: 'block', reason: 'no' }),
      says({ decision: 'deny' }, 'Stop'),
      says({ decision: 'deny', reason: 'no' }, 'After'),
      says({ decision: 'deny' }, 'Start'),
    ]).toEqual([
      { effects: [deny('no')] },
      { effects: [{ kind: 'resume', reason: NO_REASON }] },
      { effects: [context('no')] },
      { effects: [] },
    ]);
  });

  test('a decision that the agent does not read is reported and does not refuse', () => {
    const blocksOnly = { decisions: () => ['block'] };
    expect([
      says({ decision: 'deny' }, 'Before', blocksOnly),
      says({ decision: 'block' }, 'Before', blocksOnly),
      says({ decision: 'deny' }, 'Start', blocksOnly),
      says({ decision: 'block' }, 'Before', { decisionIgnored: ['tool.before'] }),
      says({ decision: 'block' }, 'Stop', { decisionIgnored: ['tool.before'] }),
    ]).toEqual([
      unreadable('Some Agent does not support decision "deny" on Before'),
      { effects: [deny()] },
      { effects: [] },
      unreadable('Some Agent does not support decision "block" on Before'),
      { effects: [{ kind: 'resume', reason: NO_REASON }] },
    ]);
  });

  test('a decision that is not a refusal is no vote, and an unknown one is reported', () => {
    expect(['allow', 'approve', 'ask', 'perhaps', 7].map((decision) => says({ decision }))).toEqual([
      { effects: [] },
      { effects: [] },
      { effects: [] },
      unreadable('decision "perhaps" is not known'),
      unreadable('decision 7 is not known'),
    ]);
  });
});

describe('a permission', () => {
  test('a permission refuses, asks or approves a call', () => {
    const said = (permissionDecision: string) =>
      specific({ permissionDecision, permissionDecisionReason: 'r' });
    expect(['deny', 'ask', 'allow', 'defer', 'maybe'].map(said)).toEqual([
      { effects: [deny('r')] },
      { effects: [{ kind: 'ask', reason: 'r' }] },
      { effects: [{ kind: 'allow', reason: 'r' }] },
      { effects: [] },
      unreadable('permissionDecision "maybe" is not known'),
    ]);
    expect([specific({ permissionDecision: 'deny' }), specific({ permissionDecision: 'ask' })]).toEqual([
      { effects: [deny()] },
      { effects: [{ kind: 'ask' }] },
    ]);
  });

  test('a permission for another event can only refuse', () => {
    const said = (permissionDecision: string, word: Word) =>
      specific({ permissionDecision, updatedInput: { command: 'ls' } }, word);
    expect([said('deny', 'Stop'), said('ask', 'Stop'), said('allow', 'Stop'), said('deny', 'Start')]).toEqual(
      [
        { effects: [{ kind: 'resume', reason: NO_REASON }] },
        { effects: [] },
        { effects: [] },
        { effects: [] },
      ],
    );
  });

  test('a permission includes changed arguments from the first valid key, unless it refuses', () => {
    const updatedInput = { command: 'ls' };
    expect([
      specific({ updatedInput, modifiedArgs: { command: 'other' } }),
      specific({ updatedInput: 'ls', modifiedArgs: updatedInput }),
      specific({ permissionDecision: 'allow', updatedInput }),
      specific({ permissionDecision: 'deny', updatedInput }),
      specific({ updatedInput }, 'Before', { changes: [] }),
    ]).toEqual([
      { effects: [change] },
      { effects: [change] },
      { effects: [{ kind: 'allow' }, change] },
      { effects: [deny()] },
      { effects: [] },
    ]);
  });

  test('a permission is read at the top level if the agent does so, and otherwise reported', () => {
    const flat = { permissionDecision: 'deny', permissionDecisionReason: 'no' };
    expect([
      says(flat, 'Before', FLAT),
      says({ ...flat, hookSpecificOutput: { permissionDecision: 'ask' } }, 'Before', FLAT),
      says({ permissionDecision: 'maybe' }, 'Before', FLAT),
      says(flat),
      says({ ...flat, decision: 'deny', systemMessage: 'hi' }),
    ]).toEqual([
      { effects: [deny('no')] },
      { effects: [{ kind: 'ask', reason: 'no' }] },
      unreadable('permissionDecision "maybe" is not known'),
      unreadable('"permissionDecision" is outside "hookSpecificOutput"'),
      unreadable('"permissionDecision" is outside "hookSpecificOutput"', deny()),
    ]);
  });
});

describe('the rest of an answer', () => {
  test('an answer with `continue: false` halts events that can be stopped', () => {
    expect([
      says({ continue: false, stopReason: 'end' }),
      says({ continue: false }),
      says({ continue: true }),
      says({ continue: false }, 'Start'),
      says({ continue: 'no' }),
    ]).toEqual([
      { effects: [{ kind: 'halt', reason: 'end' }] },
      { effects: [{ kind: 'halt' }] },
      { effects: [] },
      { effects: [] },
      unreadable('"continue" is "no", not true or false'),
    ]);
  });

  test('an answer adds context for the model where the agent supports it, and notices for the user everywhere', () => {
    const told = { hookSpecificOutput: { additionalContext: 'know' }, systemMessage: 'look' };
    const look = { kind: 'notice', text: 'look' };
    expect([
      says(told, 'After'),
      says(told, 'Before'),
      says({ message: 'by the way' }, 'Prompt'),
      says({ message: 'by the way', hookSpecificOutput: { additionalContext: 'know' } }, 'Prompt'),
      says({ message: 'by the way' }, 'After'),
      says({ additionalContext: 'know' }, 'After', FLAT),
      says({ additionalContext: 'know' }, 'After'),
    ]).toEqual([
      { effects: [context('know'), look] },
      { effects: [look] },
      { effects: [context('by the way')] },
      { effects: [context('know')] },
      { effects: [] },
      { effects: [context('know')] },
      { effects: [] },
    ]);
  });

  test('an answer must name this event, in any case and under any of its names, and approves nothing otherwise', () => {
    const named = (hookEventName: unknown) => specific({ hookEventName, permissionDecision: 'allow' });
    expect(['Before', 'bEFORE', 'BeforeShell', 'Stop', 'nobody', 7].map(named)).toEqual([
      { effects: [{ kind: 'allow' }] },
      { effects: [{ kind: 'allow' }] },
      { effects: [{ kind: 'allow' }] },
      unreadable('"hookEventName" is "Stop", the event is Before'),
      unreadable('"hookEventName" is "nobody", the event is Before'),
      { effects: [{ kind: 'allow' }] },
    ]);
  });

  test('an answer with a non-object in place of an object is reported', () => {
    expect(says({ hookSpecificOutput: 'x', decision: 'deny' })).toEqual(
      unreadable('"hookSpecificOutput" is "x"; expected an object', deny()),
    );
  });
});
