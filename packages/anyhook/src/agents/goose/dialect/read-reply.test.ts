/** The parts of a Goose reply other than its effects: failure reason, marks and recorded output. */

import { describe, expect, test } from 'vitest';
import { context, deny } from '../../../events/effects.ts';
import type { Reply } from '../../../events/exchange.ts';
import { event } from '../../../testing/event.ts';
import { exited } from '../../shared/dialect/fixtures/replies.ts';
import { hook } from './fixtures/seats.ts';
import { readReply } from './read-reply.ts';

const call = event('tool.before', { tool: 'shell', input: { command: 'ls' } });
const read = (reply: Reply, word: 'PreToolUse' | 'SessionEnd' = 'PreToolUse') =>
  readReply(reply, word === 'PreToolUse' ? call : event('session.end', { reason: 'exit' }), hook(word));
const failed = (detail: string) => ({ kind: 'failed', detail });
const NO = '{"decision":"block","reason":"no"}';
const IN_A_LINE = 'text that looks like an answer is in the middle of other text';

test('an exit code that is not an answer is a failure with the code and the output', () => {
  expect([
    read(exited(1, '', ' bug\n')),
    read(exited(3)),
    read(exited(1, '', 'e'.repeat(600))).failed?.detail?.length,
    read(exited(2, '', 'no'), 'SessionEnd'),
  ]).toEqual([
    { effects: [], failed: failed('exit 1: bug'), printed: ' bug\n' },
    { effects: [], failed: failed('exit 3') },
    'exit 1: '.length + 500,
    { effects: [], failed: failed('exit 2, but SessionEnd cannot be blocked'), printed: 'no' },
  ]);
});

test('an aborted hook can only refuse', () => {
  const why = { kind: 'timed-out' } as const;
  expect([
    read({ kind: 'broken', why, stdout: NO }),
    read({ kind: 'broken', why, stdout: 'hello' }),
    read({ kind: 'threw', message: 'bug', args: [] }),
    read({ kind: 'returned', value: 1, args: [] }),
  ]).toEqual([
    { effects: [deny('no')], failed: why },
    { effects: [], failed: why },
    { effects: [], failed: { kind: 'unreadable', detail: 'a threw reply' } },
    { effects: [], failed: { kind: 'unreadable', detail: 'a returned reply' } },
  ]);
});

test('both output streams are recorded unless they are blank', () => {
  expect([read(exited(0, 'out', 'err')), read(exited(0, ' \n', ' '))]).toEqual([
    { effects: [context('out')], printed: 'out\nerr' },
    { effects: [] },
  ]);
});

test('a decision on a line among other text can only tighten, and inside a line it is text with a mark', () => {
  const among = {
    kind: 'unreadable',
    detail: 'the output has text around the decision: print only the JSON, and logs to stderr',
  };
  const [two, both, approving, inLine, either] = [
    `log\n${NO}\n{"decision":"block","reason":"again"}`,
    `log ${NO}\n${NO}`,
    'log\n{"decision":"allow","additionalContext":"c"}',
    `log ${NO}`,
    `log ${NO}\n{"decision":"allow"}`,
  ];
  expect([two, both, approving, inLine, either].map((text) => read(exited(0, text)))).toEqual([
    { effects: [deny('no')], printed: two },
    { effects: [deny('no')], notes: { doubt: IN_A_LINE }, printed: both },
    { effects: [], failed: among, printed: approving },
    { effects: [context(inLine)], notes: { doubt: IN_A_LINE }, printed: inLine },
    { effects: [], failed: among, printed: either },
  ]);
});

test("Claude Code's answer keys are recognised in text", () => {
  const text = 'log {"permissionDecision":"deny"}';
  expect(read(exited(0, text))).toEqual({
    effects: [context(text)],
    notes: { doubt: IN_A_LINE },
    printed: text,
  });
});

describe('stdout that begins with a brace and is not JSON', () => {
  test.each(['{ this is a note', '{"additionalContext":"x"} and more', '{"a":1}\n{"b":2}'])(
    'stdout that begins with a brace and is not JSON is context as documented: %j',
    (text) => expect(read(exited(0, text)).effects).toEqual([{ kind: 'context', text }]),
  );

  test.each(['{"decision":"Block","reason":"no"} and more', '{"decision":"Block"'])(
    'stdout with a broken decision is not context: %j',
    (text) => {
      const { effects, failed } = read(exited(0, text));
      expect(effects.some(({ kind }) => kind === 'context')).toBe(false);
      expect(effects.some(({ kind }) => kind === 'deny') || failed !== undefined).toBe(true);
    },
  );
});
