/** Tests the effects of every kind of Gemini hook result. */

import { describe, expect, test } from 'vitest';
import type { Event } from '../../../events/event.ts';
import type { Reply } from '../../../events/exchange.ts';
import { event } from '../../../testing/event.ts';
import { exited, unreadable } from '../../shared/dialect/fixtures/replies.ts';
import { hookFor } from './fixtures/hook-for.ts';
import { type GeminiWord, geminiCli } from './index.ts';

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
  test('a returned value is the answer, and undefined means no objection', () => {
    expect([
      read({ kind: 'returned', value: undefined, args: [] }),
      read({ kind: 'returned', value: { decision: 'deny', reason: 'no' }, args: [] }),
      read({ kind: 'returned', value: 7, args: [] }),
    ]).toEqual([
      { effects: [] },
      { effects: [deny('no')] },
      unreadable('7 is not an answer; expected an object'),
    ]);
  });

  test('an HTTP reply is not supported by Gemini, and a thrown error is a failure', () => {
    expect([
      read({ kind: 'answered', status: 200, body: '{}' }),
      read({ kind: 'threw', message: 'bug', args: [] }),
    ]).toEqual([
      unreadable('Gemini CLI does not support HTTP hooks'),
      { effects: [], failed: { kind: 'failed', detail: 'bug' } },
    ]);
  });

  test('an aborted hook can only refuse', () => {
    const broken = (stdout: string): Reply => ({ kind: 'broken', why: { kind: 'timed-out' }, stdout });
    expect([broken('{"decision":"deny"}'), broken('hello'), broken('')].map((one) => read(one))).toEqual([
      { effects: [deny()], failed: { kind: 'timed-out' } },
      { effects: [], failed: { kind: 'timed-out' } },
      { effects: [], failed: { kind: 'timed-out' } },
    ]);
  });

  test("a reply keeps the runner's notes", () => {
    const notes = { truncated: { stderr: 5 } };
    expect(read({ kind: 'exited', code: 0, stdout: 'hello', stderr: '', notes })).toEqual({
      effects: [notice('hello')],
      notes,
    });
  });

  test('an answer is read from stderr if stdout is empty, and is uncertain if that stream was truncated', () => {
    const notes = { truncated: { stderr: 5 } };
    const cut = 'the output was cut at its limit, and the missing part may contain the answer';
    expect([
      read(exited(0, ' \n', ' {"decision":"deny"}\n')),
      read({ kind: 'exited', code: 0, stdout: ' ', stderr: 'hello', notes }),
    ]).toEqual([{ effects: [deny()] }, { ...unreadable(cut), notes }]);
  });
});

describe('an exit code', () => {
  test('exit 2 refuses, with the reason from the answer, else stderr, else stdout', () => {
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

  test('exit 2 drops changes and approvals, and reports nothing twice', () => {
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

  test('exit 2 on an unrefusable event is unreadable, and other effects are kept', () => {
    expect([
      says({ systemMessage: 'hi' }, 'SessionStart', 2),
      read(exited(2, '', 'no'), 'SessionStart'),
    ]).toEqual([
      unreadable('exit 2 does not block SessionStart', notice('hi')),
      unreadable('exit 2 does not block SessionStart'),
    ]);
  });

  test('exit 1 is a failure, in which a refusal still counts', () => {
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

  test('another exit code refuses if there is a text, unless the text is an answer', () => {
    expect([
      read(exited(127, '', ' not found\n')),
      read(exited(3, '')),
      read(exited(3, 'x'), 'SessionStart'),
      says({ decision: 'allow' }, 'BeforeTool', 3),
      read(exited(3, 'log\n{"continue":false,"stopReason":"end"}')),
    ]).toEqual([
      { effects: [deny('not found')] },
      unreadable('exit 3 without output'),
      unreadable('exit 3 does not block SessionStart'),
      { effects: [] },
      {
        effects: [deny('log\n{"continue":false,"stopReason":"end"}'), { kind: 'halt', reason: 'end' }],
      },
    ]);
  });
});

describe('the effect of a refusal', () => {
  const no = { decision: 'block', reason: 'no' };

  test('a refusal has the effect of its event', () => {
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

  test('a refusal always has a reason', () => {
    expect([says({ decision: 'deny' }), says({ decision: 'deny', reason: ' ' })]).toEqual([
      { effects: [deny()] },
      { effects: [deny()] },
    ]);
  });
});

describe('an answer', () => {
  test('an answer decides by known values only', () => {
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

  test('an answer with `continue: false` ends the turn on events that can be ended', () => {
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

  test('an answer changes only the arguments of a call', () => {
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

  test('an answer adds context for the model where Gemini supports it, and notices for the user everywhere', () => {
    const told = { hookSpecificOutput: { additionalContext: 'know' }, systemMessage: 'look' };
    expect([says(told, 'BeforeAgent'), says(told, 'BeforeTool'), says({ systemMessage: ' ' })]).toEqual([
      { effects: [{ kind: 'context', text: 'know' }, notice('look')] },
      { effects: [notice('look')] },
      { effects: [] },
    ]);
  });

  test('an answer among other text, or an uncertain one, can only tighten', () => {
    const mixed = 'log\n{"decision":"deny","reason":"no"}';
    const inLine = 'log {"decision":"deny"}';
    expect([
      read(exited(0, mixed)),
      read(exited(0, inLine)),
      read(exited(0, 'log\n{"decision":"allow","systemMessage":"hi"}')),
      read(exited(0, '{"decision":\n{"decision":"deny"}')),
    ]).toEqual([
      unreadable('the output has text around the JSON answer', deny('no'), notice(mixed)),
      unreadable('text that looks like an answer is in the middle of other text', notice(inLine)),
      unreadable(
        'the output has text around the JSON answer',
        notice('log\n{"decision":"allow","systemMessage":"hi"}'),
      ),
      unreadable(
        'partial JSON: expected a comma or a closing brace, found the end of the text (line 2, column 20)',
        deny(),
      ),
    ]);
  });
});
