import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PROBLEMS } from '../events/problems.ts';
import { ERROR_CODES, isErrorCode } from './error-codes.ts';

const PAGE = readFileSync(join(import.meta.dirname, '../../../../docs/reference/errors.md'), 'utf8');

test('every problem code has a text', () => {
  expect(Object.keys(PROBLEMS).filter((code) => !isErrorCode(code))).toEqual([]);
});

test.each(Object.entries(ERROR_CODES))('%s has a cause, an example and a fix of one line each', (_, text) => {
  for (const line of [text.cause, text.example, text.fix]) {
    expect(line).not.toBe('');
    expect(line).not.toContain('\n');
  }
});

test('the reference page has a heading for every code, and no other', () => {
  const headings = [...PAGE.matchAll(/^## (.*)$/gm)].map(([, code]) => code);
  expect(headings.toSorted()).toEqual(Object.keys(ERROR_CODES).toSorted());
});

test('a word that is not a code is not found', () => {
  expect(['toString', 'rm', ''].filter(isErrorCode)).toEqual([]);
});
