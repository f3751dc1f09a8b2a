import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ANY_TEXT, fitsWildcard, isLetter } from './wildcard.ts';

const partsOf = (pattern: string) => [...pattern].map((one) => (one === '*' ? ANY_TEXT : isLetter(one)));
const fits = (pattern: string, text: string): boolean => fitsWildcard(partsOf(pattern), text);

test('a star matches any text, including none', () => {
  const cases = [
    ['', ''],
    ['*', ''],
    ['*', 'abc'],
    ['a*', 'abc'],
    ['*c', 'abc'],
    ['a*c', 'abcbc'],
    ['a**c', 'ac'],
    ['*a*b*', 'xxaxxbxx'],
  ];
  expect(cases.filter(([pattern, text]) => !fits(pattern!, text!))).toEqual([]);
  const others = [
    ['', 'a'],
    ['a', ''],
    ['a*c', 'abcb'],
    ['*b', 'abc'],
    ['*a*b*', 'xxbxxaxx'],
  ];
  expect(others.filter(([pattern, text]) => fits(pattern!, text!))).toEqual([]);
});

test('matches like the equivalent regular expression', () => {
  const letters = (of: string) =>
    fc.array(fc.constantFrom(...of), { maxLength: 10 }).map((all) => all.join(''));
  fc.assert(
    fc.property(letters('ab*'), letters('abc'), (pattern, text) => {
      expect(fits(pattern, text)).toBe(new RegExp(`^${pattern.replaceAll('*', '.*')}$`, 's').test(text));
    }),
    { numRuns: Number(process.env['RUNS'] ?? 5_000) },
  );
});

test('matches a pattern of many stars quickly', () => {
  const started = performance.now();
  expect(fits(`${'a*'.repeat(500)}b`, 'a'.repeat(5_000))).toBe(false);
  expect(performance.now() - started).toBeLessThan(5_000);
});
