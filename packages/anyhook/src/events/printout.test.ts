import { describe, expect, test } from 'vitest';
import { allow, context, deny, halt, resume, set } from './effects.ts';
import type { ExitReply } from './exchange.ts';
import { marksOf, readBroken, readPrintout, refusedBoth, unreadable, withNotes } from './printout.ts';

const WORDS = { keys: ['decision', 'reason'], deciding: ['decision'] };
const read = (printed: string, marks = {}) => readPrintout(printed, WORDS, marks);
const unsure = (why: string, ...answers: object[]) => ({ kind: 'unsure', why, answers });
const NO = '{"decision":"deny"}';
const no = { decision: 'deny' };
const ESC = '\u001B';

describe('what was printed', () => {
  test('output is nothing, a document or text', () => {
    expect(
      ['', ' \r\n', '\uFEFF', '{"a":1}', `\uFEFF ${NO} \n`, ' hello\n', '[1]', '7'].map((one) => read(one)),
    ).toEqual([
      { kind: 'nothing' },
      { kind: 'nothing' },
      { kind: 'nothing' },
      { kind: 'document', value: { a: 1 } },
      { kind: 'document', value: no },
      { kind: 'text', text: 'hello' },
      { kind: 'text', text: '[1]' },
      { kind: 'text', text: '7' },
    ]);
  });

  test('output is mixed if there is an answer on a line of its own or inside of one', () => {
    const doubt = 'text that looks like an answer is in the middle of other text';
    expect([`log\n${NO}`, `log ${NO}`, `log ${NO}\n${NO}`].map((one) => read(one))).toEqual([
      { kind: 'mixed', text: `log\n${NO}`, answers: [no] },
      { kind: 'mixed', text: `log ${NO}`, answers: [], doubt },
      { kind: 'mixed', text: `log ${NO}\n${NO}`, answers: [no], doubt },
    ]);
  });

  test('output is unsure if an apparent answer is invalid, and keeps its refusals', () => {
    expect([
      read(`log\n{"decision":\n${NO}`),
      read(`${NO}\n{"decision":`),
      read('{"Decision":"deny"}'),
    ]).toEqual([
      unsure('text that looks like an answer is incomplete or not valid JSON', no),
      unsure('unexpected second document (line 2, column 1)', no),
      unsure('the key "Decision" is misspelt'),
    ]);
  });

  test('output is unsure if it was truncated', () => {
    const cut = 'the output was cut at its limit, and the missing part may contain the answer';
    expect([read(NO, { cut: 1 }), read('', { cut: 1 }), read(NO, { cut: 0 })]).toEqual([
      unsure(cut, no),
      unsure(cut),
      { kind: 'document', value: no },
    ]);
  });

  test('output is unsure if it contains NUL bytes', () => {
    const utf16 = `\uFFFD\uFFFD${[...NO].join('\0')}\0`;
    expect([read(`${NO}\0`), read(utf16), read('hello\0')]).toEqual([
      unsure('the output contains NUL bytes: print UTF-8', no),
      unsure('the output contains NUL bytes: print UTF-8', no),
      unsure('the output contains NUL bytes: print UTF-8'),
    ]);
  });

  test('output is unsure if bytes were replaced, but a printed replacement character is ordinary text', () => {
    expect([
      read(`${NO} \uFFFD`, { replaced: true }),
      read('\uFFFD'),
      read('hello', { replaced: true }),
    ]).toEqual([
      unsure('the output is not valid UTF-8'),
      { kind: 'text', text: '\uFFFD' },
      { kind: 'text', text: 'hello' },
    ]);
  });

  test('output is unsure if an answer contains colour codes, but coloured text is text', () => {
    const coloured = 'the answer contains colour codes: print it without colours';
    expect([
      read(`${ESC}[31m${NO}${ESC}[0m`),
      read(`\u009B1;31 m ${NO}`),
      read(`${ESC}[?25l ${NO}`),
      read(`${ESC}[31mhello${ESC}[0m`),
      read(`${ESC}[31mlog${ESC}[0m\n${ESC}[31m${NO}${ESC}[0m`),
    ]).toEqual([
      unsure(coloured, no),
      unsure(coloured, no),
      unsure(coloured, no),
      { kind: 'text', text: `${ESC}[31mhello${ESC}[0m` },
      { kind: 'mixed', text: `${ESC}[31mlog${ESC}[0m\n${ESC}[31m${NO}${ESC}[0m`, answers: [no] },
    ]);
  });
});

test('reads the marks of the right stream', () => {
  const notes = { truncated: { stdout: 1, stderr: 2 }, replaced: true } as const;
  expect([marksOf(notes), marksOf(notes, 'stderr'), marksOf({}), marksOf(undefined)]).toEqual([
    { cut: 1, replaced: true },
    { cut: 2, replaced: true },
    { cut: undefined, replaced: undefined },
    { cut: undefined, replaced: undefined },
  ]);
});

describe('what a hook had printed before it broke', () => {
  const why = { kind: 'timed-out' } as const;
  const effects = [allow(), deny('no'), context('c'), resume('r'), set('input', 'a', 1)];

  test('the output of a broken hook can only refuse, and is read as if the hook had ended normally', () => {
    const seen: ExitReply[] = [];
    const ended = (reply: ExitReply) => (seen.push(reply), { effects });
    const notes = { held: true } as const;
    expect([
      readBroken({ kind: 'broken', why, stdout: 'x', stderr: 'e', notes }, ended),
      readBroken({ kind: 'broken', why, stdout: 'x' }, ended),
    ]).toEqual([
      { effects: [deny('no'), resume('r')], failed: why },
      { effects: [deny('no'), resume('r')], failed: why },
    ]);
    expect(seen).toEqual([
      { kind: 'exited', code: 0, stdout: 'x', stderr: 'e', notes },
      { kind: 'exited', code: 0, stdout: 'x', stderr: '' },
    ]);
  });

  test('does not read empty output of a broken hook', () => {
    const never = () => {
      throw new Error('nothing was printed');
    };
    expect([
      readBroken({ kind: 'broken', why, stderr: 'e' }, never),
      readBroken({ kind: 'broken', why, stdout: '' }, never),
    ]).toEqual([
      { effects: [], failed: why },
      { effects: [], failed: why },
    ]);
  });
});

test('combines a refusal by exit code with a different printed refusal', () => {
  expect(refusedBoth([deny('ended')], [deny('printed'), halt('h'), allow(), context('c')])).toEqual([
    deny('ended'),
    halt('h'),
  ]);
});

test('keeps the notes of the runner and of the reader', () => {
  const answer = { effects: [], notes: { doubt: 'd' } };
  expect([
    withNotes(answer, { held: true }),
    withNotes(answer, undefined),
    withNotes({ effects: [] }, { held: true }),
  ]).toEqual([
    { effects: [], notes: { held: true, doubt: 'd' } },
    answer,
    { effects: [], notes: { held: true } },
  ]);
});

test('an unreadable answer is a failure with the effects that still count', () => {
  expect([unreadable('why'), unreadable('why', [deny()])]).toEqual([
    { effects: [], failed: { kind: 'unreadable', detail: 'why' } },
    { effects: [deny()], failed: { kind: 'unreadable', detail: 'why' } },
  ]);
});
