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
  test('is nothing, a document, or text', () => {
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

  test('is mixed where an answer stands among text, on a line of its own or inside of one', () => {
    const doubt = 'what looks like an answer stands in the middle of other text';
    expect([`log\n${NO}`, `log ${NO}`, `log ${NO}\n${NO}`].map((one) => read(one))).toEqual([
      { kind: 'mixed', text: `log\n${NO}`, answers: [no] },
      { kind: 'mixed', text: `log ${NO}`, answers: [], doubt },
      { kind: 'mixed', text: `log ${NO}\n${NO}`, answers: [no], doubt },
    ]);
  });

  test('is unsure where what looks like an answer cannot be one, and what refuses in it is kept', () => {
    expect([
      read(`log\n{"decision":\n${NO}`),
      read(`${NO}\n{"decision":`),
      read('{"Decision":"deny"}'),
    ]).toEqual([
      unsure('what looks like an answer is torn, or no JSON', no),
      unsure('a second document begins here (line 2, column 1)', no),
      unsure('"Decision" is spelt otherwise'),
    ]);
  });

  test('is unsure where it was cut, but not where nothing is missing', () => {
    const cut = 'the output was cut at its limit, and what is missing may be the answer';
    expect([read(NO, { cut: 1 }), read('', { cut: 1 }), read(NO, { cut: 0 })]).toEqual([
      unsure(cut, no),
      unsure(cut),
      { kind: 'document', value: no },
    ]);
  });

  test('is unsure where it holds NUL bytes, whatever stands between them', () => {
    const utf16 = `\uFFFD\uFFFD${[...NO].join('\0')}\0`;
    expect([read(`${NO}\0`), read(utf16), read('hello\0')]).toEqual([
      unsure('the output holds NUL bytes: print UTF-8', no),
      unsure('the output holds NUL bytes: print UTF-8', no),
      unsure('the output holds NUL bytes: print UTF-8'),
    ]);
  });

  test('is unsure where bytes of it were replaced; a replacement character that was printed is a letter', () => {
    expect([
      read(`${NO} \uFFFD`, { replaced: true }),
      read('\uFFFD'),
      read('hello', { replaced: true }),
    ]).toEqual([
      unsure('the output is no UTF-8'),
      { kind: 'text', text: '\uFFFD' },
      { kind: 'text', text: 'hello' },
    ]);
  });

  test('is unsure where an answer is coloured; coloured text stays as it is', () => {
    const coloured = 'the answer is coloured: print it plain';
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

test('marks are those of the stream that is read', () => {
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

  test('can refuse, and nothing else; it is read as if the hook had ended in order', () => {
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

  test('is not looked for where it had printed nothing', () => {
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

test('a refusal by the exit code stands beside one that was printed and holds back in another way', () => {
  expect(refusedBoth([deny('ended')], [deny('printed'), halt('h'), allow(), context('c')])).toEqual([
    deny('ended'),
    halt('h'),
  ]);
});

test('notes of the runner and of the reader are both kept, and none are made up', () => {
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

test('what makes no sense is a failure, with what counts all the same', () => {
  expect([unreadable('why'), unreadable('why', [deny()])]).toEqual([
    { effects: [], failed: { kind: 'unreadable', detail: 'why' } },
    { effects: [deny()], failed: { kind: 'unreadable', detail: 'why' } },
  ]);
});
