/** Answers among other text: found on lines of their own, otherwise a doubt, never overlooked. */

import { describe, expect, test } from 'vitest';
import { isSample } from '../../test/deep.ts';
import { mostBytes, salvage } from './salvage.ts';

const WORDS = { keys: ['decision', 'set'], deciding: ['decision'] };
const found = (text: string) => salvage(text, WORDS);
const DENY = { decision: 'deny' };
const TORN = 'text that looks like an answer is incomplete or not valid JSON';
const IN_A_LINE = 'text that looks like an answer is in the middle of other text';

describe('salvage', () => {
  test('finds answers on lines of their own, also over several lines, before and after other text', () => {
    const text = 'log\n{"decision":\n "deny"}\r\nmore\n  {"set":[{}]}  \nend {"c":1}\n';
    expect(found(text)).toEqual({ answers: [DENY, { set: [{}] }] });
  });

  test.each([
    ['a key twice', 'log\n{"decision":1,"decision":2}'],
    ['text behind it', 'log\n{"decision":'],
    ['a language that is not JSON', "log\n{'decision': 'deny'}"],
    ['a document over several lines that is cut', 'log\n{\n  "decision": "deny",\n  "reason": "no'],
    ['a key that decides nothing, at the beginning of a line', 'log\n{"set":{"a":1'],
  ])('reports a line that looks like an answer but is invalid: %s', (_, text) => {
    expect(found(text)).toMatchObject({ answers: [], torn: TORN });
  });

  test.each([
    'log: {"decision":"deny"}',
    '{"decision":"deny"} x',
    'x {"a":{"b":1},"decision":0}',
    'x "decision": no',
    '{"input":{"decision":"deny"}}',
    '{"Decision":"deny"}',
    '"{\\"decision\\":\\"deny\\"}"',
    'x {reason: 1, decision: "deny"}',
  ])('reports a doubt for an answer in the middle of other text: %s', (text) => {
    expect(found(`log\n${text}`)).toEqual({ answers: [], doubt: IN_A_LINE });
  });

  test.each([
    ['a payload that is logged', 'checking {"tool":"shell","set":{"command":"ls"}}'],
    ['a payload with an answer inside a text', 'checking {"command":"echo {\\"decision\\":\\"deny\\"}"}'],
    ['prose', 'the decision: deny, {braces} or not, decision: deny'],
  ])('ignores text that is not an answer: %s', (_, text) => {
    expect(found(text)).toEqual({ answers: [] });
  });

  test('recognises an escaped key', () => {
    expect(found('log\n{"\\u0064ecision":"deny"}')).toEqual({ answers: [DENY] });
  });

  test.each([
    ['1,001 opening braces', `x\n${'{\n'.repeat(1001)}`, ''],
    ['an object that is opened before and closed behind', 'x }\n{"x":\n', '\n}'],
    ['an answer that is opened before and closed behind', 'x }\n{"decision":"allow","x":\n', '\n}'],
    ['a list that never ends', 'x\n{"a":[\n', ''],
  ])('finds an answer whatever is printed around it: %s', (_, before, behind) => {
    expect(found(`${before}{"decision":"deny"}${behind}`).answers).toContainEqual(DENY);
  });

  test.each([
    ['braces', '{\n'.repeat(500_000)],
    ['objects within objects', '{"a":[\n'.repeat(isSample ? 15_000 : 150_000)],
    ['one list that never ends', `{"a":[${'\n{"b":1},'.repeat(100_000)}`],
    ['lists within lists that never end', `${'{"a":['.repeat(60)}${'{},'.repeat(300_000)}`],
    ['answers on one line', '{"decision":1} '.repeat(70_000)],
  ])('stops early on many %s without missing an answer silently', (_, text) => {
    const started = performance.now();
    const { answers, torn, doubt } = found(`x\n${text}\n{"decision":"deny"}`);
    expect(performance.now() - started).toBeLessThan(50_000);
    expect(answers.length > 0 || torn !== undefined || doubt !== undefined).toBe(true);
  });
});

describe('the work of reading an answer', () => {
  const words = { keys: ['decision', 'reason', 'hookSpecificOutput'], deciding: ['decision'] };
  const SHAPES: readonly (readonly [name: string, unit: string])[] = [
    ['braces', '{'],
    ['objects that are never closed', '{"decision":'],
    ['lists that are never closed', '{"decision":[1,'],
    ['texts that are never closed', '{"decision":"x'],
    ['lines that each begin an object', '{"a":1,\n'],
    ['deep lists on lines of their own', '{"a":[[[[[[1,\n'],
    ['lines with a key that is no JSON', '{\n"decision":1,\n'],
    ['sound objects inside of each other', '{"a":\n{"b":1}}\n'],
  ];
  const bytesRead = (unit: string, length: number): number => {
    let read = 0;
    const text = `log\n${unit.repeat(Math.ceil(length / unit.length)).slice(0, length)}\n"decision":`;
    salvage(text, words, (bytes) => (read += bytes));
    return read;
  };

  test.each(SHAPES)('the work grows linearly with the text for %s', (_name, unit) => {
    const [small, large] = [bytesRead(unit, 16 * 1024), bytesRead(unit, 128 * 1024)];
    expect(large).toBeLessThanOrEqual(2 * mostBytes(129 * 1024));
    expect(large / small).toBeLessThanOrEqual(12);
  });

  test.each(SHAPES)('reads 64 KB of %s within a generous deadline', (_name, unit) => {
    const began = performance.now();
    bytesRead(unit, 64 * 1024);
    expect(performance.now() - began).toBeLessThan(5000);
  });

  test('finds an answer after 60 KB of ordinary output', () => {
    const log = `${JSON.stringify({ level: 'info', data: { a: [1, 2, { b: 3 }] } }, null, 2)}\n`.repeat(600);
    expect(salvage(`${log}{"decision":"deny"}\n`, words).answers).toContainEqual({ decision: 'deny' });
  });
});
