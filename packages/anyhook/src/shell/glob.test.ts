import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compileGlob } from './glob.ts';

describe('a glob', () => {
  test.each<[string, string, boolean]>([
    ['git *', 'git push', true],
    ['git *', 'git', false],
    ['git *', 'git a/b\nc', true],
    ['git*', 'git', true],
    ['*', '', true],
    ['', '', true],
    ['', 'x', false],
    ['git', 'git', true],
    ['git', 'Git', false],
    ['g?t', 'git', true],
    ['g?t', 'gt', false],
    ['[gh]it', 'hit', true],
    ['[!gh]it', 'hit', false],
    ['[a-f]x', 'cx', true],
    ['[]x]', ']', true],
    ['[x', '[x', true],
    ['a.b', 'axb', false],
    ['a{b,c}', 'ab', false],
    ['*a*b*c*', 'xxaxxbxxcxx', true],
    ['*ab', 'aab', true],
    ['a*a', 'a', false],
    ['git push:*', 'git push', true],
    ['git push:*', 'git push origin', true],
    ['git push:*', 'git pushy', false],
  ])('%j matches %j: %j', (glob, text, expected) => {
    expect(compileGlob(glob).matches(text)).toBe(expected);
  });

  test('matches the same texts as the equivalent regular expression', () => {
    const piece = fc.constantFrom('a', 'b', '*', '?', '[ab]', '[!a]', '.', '\n');
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 8 }),
        fc.array(fc.constantFrom('a', 'b', '.', '\n'), { maxLength: 8 }),
        (pieces, letters) => {
          const meaning: Record<string, string> = { '*': '[^]*', '?': '[^]', '[!a]': '[^a]', '.': '\\.' };
          const source = pieces.map((p) => meaning[p] ?? p).join('');
          const text = letters.join('');
          expect(compileGlob(pieces.join('')).matches(text)).toBe(new RegExp(`^${source}$`).test(text));
        },
      ),
      { numRuns: 2_000 },
    );
  });

  test('with many stars takes linear time', () => {
    const text = 'a'.repeat(10_000);
    const globs = Array.from({ length: 200 }, (_, n) => `${'*a'.repeat(200 + n)}*b`).concat(
      Array.from({ length: 200 }, (_, n) => `*${'?'.repeat(n)}*${'[a-z]'.repeat(50)}b`),
    );
    const started = performance.now();
    expect(globs.some((glob) => compileGlob(glob).matches(text))).toBe(false);
    expect(performance.now() - started).toBeLessThan(20_000);
  });
});
