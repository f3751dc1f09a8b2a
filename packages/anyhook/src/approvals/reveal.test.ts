import { describe, expect, test } from 'vitest';
import { revealed, revealedText } from './reveal.ts';

describe('text of a question', () => {
  test.each([
    ['a right-to-left override', 'rm \u202egpj.exe', 'rm \\u202egpj.exe'],
    ['an escape sequence', 'ls \u001b[2K rm', 'ls \\u001b[2K rm'],
    ['a carriage return', 'echo ok\rrm -rf /', 'echo ok\\u000drm -rf /'],
    ['a zero-width space', 'git\u200bhub', 'git\\u200bhub'],
    ['a Cyrillic letter among Latin ones', 'curl p\u0430ypal.com', 'curl p‹U+0430›ypal.com'],
    ['a dash that looks like a hyphen', 'rm \u2013rf x', 'rm ‹U+2013›rf x'],
    ['a full-width letter', 'r\uff4d -rf', 'r‹U+FF4D› -rf'],
    ['a fraction slash in a path', 'cat a\u2215b', 'cat a‹U+2215›b'],
  ])('shows %s', (_, text, shown) => {
    expect(revealedText(text)).toBe(shown);
  });

  test.each(['git commit -m "Привет мир"', 'echo naïve café', 'grep 日本 *.txt', 'touch Ωμέγα'])(
    'leaves ordinary text alone: %s',
    (text) => {
      expect(revealedText(text)).toBe(text);
    },
  );

  test('fits a long line into its width', () => {
    expect(revealed('x'.repeat(5_000_000), 20)).toBe(`${'x'.repeat(19)}…`);
  });
});
