import { expect, test } from 'vitest';
import { unseenLetter } from './unseen.ts';

test.each([
  ['Ba\u200bsh', 'U+200B'],
  ['\ufeffBash', 'U+FEFF'],
  ['rm\u00a0-rf', 'U+00A0'],
  ['\u202ehsab', 'U+202E'],
  ['a\u0007', 'U+0007'],
  ['Ba\u200dsh', 'U+200D'],
  ['x\u{e0041}', 'U+E0041'],
])('%j contains the invisible character %s', (text, letter) => {
  expect(unseenLetter(text)).toBe(letter);
});

test.each([
  'Bash',
  'shell(git commit -m "a\tb\nc" *)',
  'größer|日本語|❤️',
  'می\u200cخواهم',
  '👩\u200d👩\u200d👧',
])('%j has only visible characters', (text) => {
  expect(unseenLetter(text)).toBeUndefined();
});
