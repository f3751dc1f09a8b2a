import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hasKeysTwice } from './keys-twice.ts';

const twice = (text: string) => hasKeysTwice(text, JSON.parse(text));

test.each([
  '{"a":1,"a":2}',
  '{"a":1,"\\u0061":2}',
  '{"t":{"command":"ls","command":"rm"}}',
  '[{"a":{"b":[{"c":1,"c":1}]}}]',
  '{"a\\"b":1,"a\\"b":2}',
  '{"__proto__":1,"__proto__":2}',
])('finds a duplicate key in %s', (text) => {
  expect(twice(text)).toBe(true);
});

test.each([
  '{}',
  '[]',
  '"a:b"',
  '7',
  'null',
  '{"a":"\\\\","b":"x:y"}',
  '{"a":"\\\\\\":","b":{"a":1}}',
  '[{"a":1},{"a":2}]',
  '{"__proto__":{"a":1},"a":1}',
  ' { "a" : [ "\\":\\"" ] } ',
])('finds no duplicate key in %s', (text) => {
  expect(twice(text)).toBe(false);
});

test('finds no duplicates in any output of JSON.stringify, and finds one after repeating its first key', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.string(), (value, key) => {
      const text = JSON.stringify({ [key]: value });
      expect(twice(text)).toBe(false);
      expect(twice(`${text.slice(0, -1)},${JSON.stringify(key)}:0}`)).toBe(true);
    }),
    { numRuns: Number(process.env['RUNS'] ?? 500) },
  );
});
