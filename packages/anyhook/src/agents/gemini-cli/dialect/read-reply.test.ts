/** What each way in which a hook of Gemini can end and speak comes to, as a whole. */
import { describe, expect, test } from 'vitest';
import type { Event } from '../../../events/event.ts';
import type { Reply } from '../../../events/exchange.ts';
import { event } from '../../../testing/event.ts';
import { hookFor } from './fixtures/hook-for.ts';
import { type GeminiWord, geminiCli } from './index.ts';
import { exited, unreadable } from '../../shared/dialect/fixtures/replies.ts';

const call = event('tool.before', { tool: 'shell', input: { command: 'rm x' } });
const done = event('tool.after', { tool: 'shell', input: {}, content: [] });
const failing = event('tool.failed', { tool: 'shell', input: {}, error: 'no' });
const EVENTS = {
  BeforeTool: call,
  AfterTool: done,
  BeforeAgent: event('prompt.submit', { prompt: 'hello' }),
  AfterAgent: event('turn.stop', { active: false }),
  SessionStart: event('session.start', { source: 'startup' }),
} satisfies Partial<Record<GeminiWord, Event>>;
type Word = keyof typeof EVENTS;

const read = (reply: Reply, word: Word = 'BeforeTool', about: Event = EVENTS[word]) =>
  geminiCli.output.read(reply, about, hookFor(word));
const says = (document: object, word: Word = 'BeforeTool', code = 0) =>
  read(exited(code, JSON.stringify(document)), word);
const NO_REASON = 'blocked by a hook that gave no reason';
const deny = (reason = NO_REASON) => ({ kind: 'deny', reason });
const notice = (text: string) => ({ kind: 'notice', text });

describe('a reply', () => {
  test('that returned is its value; nothing is no objection', () => {
    expect([
      read({ kind: 'returned', value: undefined, args: [] }),
      read({ kind: 'returned', value: { decision: 'deny', reason: 'no' }, args: [] }),
      read({ kind: 'returned', value: 7, args: [] }),
    ]).toEqual([
      { effects: [] },
      { effects: [deny('no')] },
      unreadable('7 is no answer: an object is expected'),
    ]);
  });

  test('of an address is none of Gemini, and what threw has failed', () => {
    expect([
      read({ kind: 'answered', status: 200, body: '{}' }),
      read({ kind: 'threw', message: 'bug', args: [] }),
    ]).toEqual([
      unreadable('Gemini CLI has no hooks at an address'),
      { effects: [], failed: { kind: 'failed', detail: 'bug' } },
    ]);
  });

  test('that was broken off can refuse, and nothing else', () => {
    const broken = (stdout: string): Reply => ({ kind: 'broken', why: { kind: 'timed-out' }, stdout });
    expect([broken('{"decision":"deny"}'), broken('hello'), broken('')].map((one) => read(one))).toEqual([
      { effects: [deny()], failed: { kind: 'timed-out' } },
      { effects: [], failed: { kind: 'timed-out' } },
      { effects: [], failed: { kind: 'timed-out' } },
    ]);
  });

  test("carries the runner's notes", () => {
    const notes = { truncated: { stderr: 5 } };
    expect(read({ kind: 'exited', code: 0, stdout: 'hello', stderr: '', notes })).toEqual({
      effects: [notice('hello')],
      notes,
    });
  });

  test('is looked for on stderr where stdout is empty, and is unsure if that stream was cut', () => {
    const notes = { truncated: { stderr: 5 } };
    const cut = 'the output was cut at its limit, and the missing part may contain the answer';
    expect([
      read(exited(0, ' \n', ' {"decision":"deny"}\n')),
      read({ kind: 'exited', code: 0, stdout: ' ', stderr: 'hello', notes }),
    ]).toEqual([{ effects: [deny()] }, { ...unreadable(cut), notes }]);
  });
});

describe('an exit', () => {
  test('of 2 refuses, with the reason of the document, else with stderr, else with stdout', () => {
    expect([
      says({ reason: 'so', systemMessage: 'hi' }, 'BeforeTool', 2),
      says({ systemMessage: 'hi' }, 'BeforeTool', 2),
      read(exited(2, 'on stdout', 'on stderr')),
      read(exited(2, 'on stdout')),
    ]).toEqual([
      { effects: [deny('so'), notice('hi')] },
      { effects: [deny(), notice('hi')] },
      { effects: [deny('on stderr')] },
      { effects: [deny('on stdout')] },
    ]);
  });

  test('of 2 takes back no change and no approval, and says nothing twice', () => {
    const change = { hookSpecificOutput: { tool_input: { command: 'ls' } } };
    expect([
      says(change, 'BeforeTool', 2),
      says({ decision: 'deny', reason: 'no', systemMessage: 'hi' }, 'BeforeTool', 2),
      says({ continue: false, stopReason: 'end' }, 'BeforeTool', 2),
    ]).toEqual([
      { effects: [deny()] },
      { effects: [deny('no'), notice('hi')] },
      { effects: [{ kind: 'halt', reason: 'end' }] },
    ]);
  });

  test('of 2 where nothing can be refused is no answer, and keeps what was said besides', () => {
    expect([
      says({ systemMessage: 'hi' }, 'SessionStart', 2),
      read(exited(2, '', 'no'), 'SessionStart'),
    ]).toEqual([
      unreadable('exit 2 blocks no SessionStart', notice('hi')),
      unreadable('exit 2 blocks no SessionStart'),
    ]);
  });

  test('of 1 is a failure, in which a refusal still counts', () => {
    expect([
      read(exited(1, 'log\n{"decision":"deny"}')),
      read(exited(1, 'log', 'aside')),
      read(exited(1, '', 'aside')),
    ]).toEqual([
      { effects: [deny()], failed: { kind: 'failed', detail: 'exit 1: log\n{"decision":"deny"}' } },
      { effects: [], failed: { kind: 'failed', detail: 'exit 1: log' } },
      { effects: [], failed: { kind: 'failed', detail: 'exit 1: aside' } },
    ]);
  });

  test('of another number refuses if it comes with a word, unless that is a document', () => {
    expect([
      read(exited(127, '', ' not found\n')),
      read(exited(3, '')),
      read(exited(3, 'x'), 'SessionStart'),
      says({ decision: 'allow' }, 'BeforeTool', 3),
      read(exited(3, 'log\n{"continue":false,"stopReason":"end"}')),
    ]).toEqual([
      { effects: [deny('not found')] },
      unreadable('exit 3 without a word'),
      unreadable('exit 3 blocks no SessionStart'),
      { effects: [] },
      {
        effects: [deny('log\n{"continue":false,"stopReason":"end"}'), { kind: 'halt', reason: 'end' }],
      },
    ]);
  });
});

describe('what a refusal comes to', () => {
  const no = { decision: 'block', reason: 'no' };

  test('is what its event can do', () => {
    expect([
      says(no, 'BeforeTool'),
      says(no, 'BeforeAgent'),
      says(no, 'AfterAgent'),
      says(no, 'AfterTool'),
      read(exited(0, JSON.stringify(no)), 'AfterTool', failing),
      says(no, 'SessionStart'),
    ]).toEqual([
      { effects: [deny('no')] },
      { effects: [deny('no')] },
      { effects: [{ kind: 'resume', reason: 'no' }] },
      { effects: [{ kind: 'set', at: ['content'], to: [{ type: 'text', text: 'no' }] }] },
      { effects: [{ kind: 'set', at: ['error'], to: 'no' }] },
      unreadable('nothing can be refused on SessionStart'),
    ]);
  });

  test('has a reason in any case', () => {
    expect([says({ decision: 'deny' }), says({ decision: 'deny', reason: ' ' })]).toEqual([
      { effects: [deny()] },
      { effects: [deny()] },
    ]);
  });
});

describe('a document', () => {
  test('decides by words that are known', () => {
    expect(
      ['allow', 'approve', 'ask', 'perhaps', 7].map((decision) => says({ decision, reason: 'r' })),
    ).toEqual([
      { effects: [] },
      { effects: [] },
      { effects: [{ kind: 'ask', reason: 'r' }] },
      unreadable('decision "perhaps" is not known'),
      unreadable('decision 7 is not known'),
    ]);
    expect(says({ decision: 'ask' }, 'AfterTool')).toEqual({ effects: [] });
  });

  test('ends the turn where that can be ended', () => {
    const end = { continue: false, stopReason: 'end', reason: 'r' };
    expect([
      says(end),
      says({ continue: false, reason: 'r' }),
      says({ continue: false }),
      says({ continue: true }),
      says(end, 'SessionStart'),
    ]).toEqual([
      { effects: [{ kind: 'halt', reason: 'end' }] },
      { effects: [{ kind: 'halt', reason: 'r' }] },
      { effects: [{ kind: 'halt' }] },
      { effects: [] },
      { effects: [] },
    ]);
  });

  test('changes the arguments of a call, and of nothing else', () => {
    const change = { hookSpecificOutput: { tool_input: { command: 'ls' } } };
    expect([
      says(change),
      says(change, 'AfterTool'),
      says({ hookSpecificOutput: { tool_input: 'ls' } }),
      says({ hookSpecificOutput: 'ls' }),
    ]).toEqual([
      { effects: [{ kind: 'set', at: ['input', 'command'], to: 'ls' }] },
      { effects: [] },
      { effects: [] },
      { effects: [] },
    ]);
  });

  test('tells the model where it listens, and the person anywhere', () => {
    const told = { hookSpecificOutput: { additionalContext: 'know' }, systemMessage: 'look' };
    expect([says(told, 'BeforeAgent'), says(told, 'BeforeTool'), says({ systemMessage: ' ' })]).toEqual([
      { effects: [{ kind: 'context', text: 'know' }, notice('look')] },
      { effects: [notice('look')] },
      { effects: [] },
    ]);
  });

  test('among other text can only tighten, and what is unsure too', () => {
    const mixed = 'log\n{"decision":"deny","reason":"no"}';
    const inLine = 'log {"decision":"deny"}';
    expect([
      read(exited(0, mixed)),
      read(exited(0, inLine)),
      read(exited(0, 'log\n{"decision":"allow","systemMessage":"hi"}')),
      read(exited(0, '{"decision":\n{"decision":"deny"}')),
    ]).toEqual([
      unreadable('an answer among other text', deny('no'), notice(mixed)),
      unreadable('text that looks like an answer is in the middle of other text', notice(inLine)),
      unreadable('an answer among other text', notice('log\n{"decision":"allow","systemMessage":"hi"}')),
      unreadable(
        'partial JSON: expected a comma or a closing brace, found the end of the text (line 2, column 20)',
        deny(),
      ),
    ]);
  });
});
