import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fileNameOf } from './session-file.ts';

test('keeps a session id that is a safe file name', () => {
  for (const id of ['0b5b3c9e-7a57-4f0e-9d59-8d2d7d1d1f3a', 'session_1', 'a.b-c'])
    expect(fileNameOf(id)).toBe(id);
});

test.each([
  '../../etc/passwd',
  '/abs',
  'C:\\x',
  'con',
  'NUL.txt',
  'com1',
  'a/b',
  'A',
  '',
  '.',
  '..',
  'x.',
  'x ',
  'a\0b',
  '-rf',
  'x'.repeat(5000),
  'é',
  'a:b',
])('turns %j into a safe file name', (id) =>
  expect(fileNameOf(id)).toMatch(/^s[a-z0-9-]{0,48}~[0-9a-f]{24}$/),
);

test('two session ids never share a file, even on a case-insensitive disk', () => {
  const names = new Map<string, string>();
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 8 }), (id) => {
      const name = fileNameOf(id).toLowerCase();
      expect(names.get(name) ?? id).toBe(id);
      names.set(name, id);
      if (fileNameOf(id) !== id) expect(fileNameOf(fileNameOf(id))).not.toBe(fileNameOf(id));
    }),
    { numRuns: 1000 },
  );
});
