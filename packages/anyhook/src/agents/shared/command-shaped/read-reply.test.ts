/** What each way in which a hook can end and speak comes to, by the terms of an agent: as a whole. */
import { describe, expect, test } from 'vitest';
import type { Event } from '../../../events/event.ts';
import type { Reply } from '../../../events/exchange.ts';
import type { Hook } from '../../../events/hook.ts';
import { NO_TOOLS } from '../../../events/tools.ts';
import { event } from '../../../testing/event.ts';
import { readerOf } from './read-reply.ts';
import type { AnswerForms, Hearing } from './terms.ts';
import { exited, unreadable } from '../dialect/fixtures/replies.ts';

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
const HEARING: Hearing = {
  decisions: (block) => (block === null ? [] : ['block', 'deny']),
  flat: 'no',
  changes: ['updatedInput', 'modifiedArgs'],
  refusingExit: (code) => code === 2,
};

function read(reply: Reply, word: Word = 'Before', hearing: Partial<Hearing> = {}, answers?: AnswerForms) {
  const reader = readerOf({
    events: ROWS,
    tools: NO_TOOLS,
    shown: 'Some Agent',
    hearing: { ...HEARING, ...hearing },
    ...(answers && { answers }),
  });
  return reader(reply, EVENTS[word], { on: word } as Hook);
}
const says = (document: object, word: Word = 'Before', hearing: Partial<Hearing> = {}, code = 0) =>
  read(exited(code, JSON.stringify(document)), word, hearing);
const specific = (fields: object, word: Word = 'Before', hearing: Partial<Hearing> = {}) =>
  says({ hookSpecificOutput: fields }, word, hearing);
const NO_REASON = 'blocked by a hook that gave no reason';
const deny = (reason = NO_REASON) => ({ kind: 'deny', reason });
const context = (text: string) => ({ kind: 'context', text });
const FLAT = { flat: 'yes' } as const;
const change = { kind: 'set', at: ['input', 'command'], to: 'ls' };

describe('a reply', () => {
  test('that returned is its value; nothing is no objection', () => {
    expect([
      read({ kind: 'returned', value: undefined, args: [] }),
      read({ kind: 'returned', value: { decision: 'deny', reason: 'no' }, args: [] }),
      read({ kind: 'returned', value: 'no', args: [] }),
    ]).toEqual([
      { effects: [] },
      { effects: [deny('no')] },
      unreadable('"no" is no answer: an object is expected'),
    ]);
  });

  test('of an address is none of the agent, what threw has failed, what was broken off can refuse', () => {
    expect([
      read({ kind: 'answered', status: 200, body: '{}' }),
      read({ kind: 'threw', message: 'bug', args: [] }),
      read({ kind: 'broken', why: { kind: 'timed-out' }, stdout: '{"decision":"deny"}' }),
    ]).toEqual([
      unreadable('Some Agent has no hooks at an address'),
      { effects: [], failed: { kind: 'failed', detail: 'bug' } },
      { effects: [deny()], failed: { kind: 'timed-out' } },
    ]);
  });

  test("carries the runner's notes, and is unsure where its output was cut", () => {
    const notes = { truncated: { stdout: 5 } };
    expect(read({ kind: 'exited', code: 0, stdout: 'x', stderr: '', notes })).toEqual({
      ...unreadable('the output was cut at its limit, and the missing part may contain the answer'),
      notes,
    });
  });
});

describe('an exit', () => {
  test('that refuses does what the event can do, with stderr as its reason', () => {
    const no = (word: Word, stderr = ' no\n') => read(exited(2, '', stderr), word);
    expect([no('Before'), no('Before', ' '), no('Stop'), no('After'), no('Start')]).toEqual([
      { effects: [deny('no')] },
      { effects: [deny()] },
      { effects: [{ kind: 'resume', reason: 'no' }] },
      { effects: [context('no')] },
      unreadable('exit 2 blocks no Start'),
    ]);
  });

  test('that refuses keeps what was printed and holds back in another way', () => {
    const end = { continue: false, stopReason: 'end', systemMessage: 'hi' };
    expect([says(end, 'Before', {}, 2), says({ decision: 'deny', reason: 'own' }, 'Before', {}, 2)]).toEqual([
      { effects: [deny(), { kind: 'halt', reason: 'end' }] },
      { effects: [deny()] },
    ]);
  });

  test('is asked of the agent by its code and the row of the event', () => {
    const asked: unknown[] = [];
    const refusingExit: Hearing['refusingExit'] = (...about) => (asked.push(about), true);
    expect([read(exited(7, '', 'no'), 'Stop', { refusingExit }), asked]).toEqual([
      { effects: [{ kind: 'resume', reason: 'no' }] },
      [[7, ROWS.Stop]],
    ]);
  });

  test('that does not refuse is a failure, in which a refusal still counts', () => {
    expect([
      read(exited(1, '{"decision":"deny"}', ' bug\n')),
      read(exited(1, '{"systemMessage":"hi"}')),
    ]).toEqual([
      { effects: [deny()], failed: { kind: 'failed', detail: 'exit 1: bug' } },
      { effects: [], failed: { kind: 'failed', detail: 'exit 1: ' } },
    ]);
  });
});

describe('text', () => {
  test('is context where the row says so, and nothing elsewhere', () => {
    expect([read(exited(0, ' hello\n'), 'Prompt'), read(exited(0, 'hello')), read(exited(0, ' '))]).toEqual([
      { effects: [context('hello')] },
      { effects: [] },
      { effects: [] },
    ]);
  });

  test('with an answer in it can only tighten', () => {
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
      unreadable('an answer among other text', deny('no')),
      unreadable('an answer among other text', deny('no')),
      { effects: [context('log\n{"continue":true}')], notes: { doubt: 'an answer among other text' } },
      unreadable('an answer among other text'),
      unreadable(doubt),
      { effects: [context(inLine)], notes: { doubt } },
    ]);
  });

  test('that wants to be an answer and is none is unreadable, and a refusal on a line of it counts', () => {
    const torn = read(exited(0, '{"decision":\n{"decision":"deny","reason":"no"}'));
    expect([torn.effects, torn.failed?.kind]).toEqual([[deny('no')], 'unreadable']);
  });

  test("is known for an answer by the agent's own words too", () => {
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
      unreadable('an answer among other text', deny('no')),
      { effects: [deny()] },
      { effects: [] },
    ]);
  });
});

describe('a decision', () => {
  test('refuses by the words that the agent hears, with its reason or without', () => {
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

  test('that the agent does not hear is said, and refuses nothing', () => {
    const blocksOnly = { decisions: () => ['block'] };
    expect([
      says({ decision: 'deny' }, 'Before', blocksOnly),
      says({ decision: 'block' }, 'Before', blocksOnly),
      says({ decision: 'deny' }, 'Start', blocksOnly),
      says({ decision: 'block' }, 'Before', { unheard: ['tool.before'] }),
      says({ decision: 'block' }, 'Stop', { unheard: ['tool.before'] }),
    ]).toEqual([
      unreadable('Some Agent reads no decision "deny" on Before'),
      { effects: [deny()] },
      { effects: [] },
      unreadable('Some Agent reads no decision "block" on Before'),
      { effects: [{ kind: 'resume', reason: NO_REASON }] },
    ]);
  });

  test('that is no refusal is no vote, and one that is not known is said', () => {
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
  test('refuses, asks or approves a call', () => {
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

  test('of another event can only refuse', () => {
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

  test('goes with a change unless it refuses: the first of the keys that holds arguments', () => {
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

  test('stands at the top where the agent reads it there, and is said where not', () => {
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
      unreadable('"permissionDecision" stands outside "hookSpecificOutput"'),
      unreadable('"permissionDecision" stands outside "hookSpecificOutput"', deny()),
    ]);
  });
});

describe('the rest of a document', () => {
  test('ends what can be held back', () => {
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

  test('tells the model where it listens, and the person anywhere', () => {
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

  test('is about this event, in any casing or by any of its words; what is not approves nothing', () => {
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

  test('has an object where one belongs', () => {
    expect(says({ hookSpecificOutput: 'x', decision: 'deny' })).toEqual(
      unreadable('"hookSpecificOutput" is "x", no object', deny()),
    );
  });
});
