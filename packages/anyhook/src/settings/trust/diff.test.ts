import { expect, test } from 'vitest';
import { diffOf } from './diff.ts';
import { visible } from './visible.ts';

test('a changed line is shown with its surroundings', () => {
  const before = 'a\nb\nc\nd\ne\nf\ng\nh\n';
  expect(diffOf('g.sh', before, before.replace('f\n', 'F\nG\n'))).toBe(
    [
      '--- g.sh (trusted)',
      '+++ g.sh (now)',
      '@@ -3 +3 @@',
      ' c',
      ' d',
      ' e',
      '-f',
      '+F',
      '+G',
      ' g',
      ' h',
    ].join('\n'),
  );
});

test.each([
  ['a\n', 'a', ['@@ -1 +1 @@', ' a', '+\\ No newline at end of file']],
  ['', 'x\n', ['@@ -1 +1 @@', '+x']],
  ['x\n', '', ['@@ -1 +1 @@', '-x']],
  ['1\n2\n3\n', '3\n1\n2\n', ['@@ -1 +1 @@', '+3', ' 1', ' 2', '-3']],
])('%j to %j', (before, after, lines) => {
  expect(diffOf('f', before, after)).toBe(['--- f (trusted)', '+++ f (now)', ...lines].join('\n'));
});

test('the same text has no difference', () => expect(diffOf('f', 'a', 'a')).toBe(''));

test('taking the marked lines away gives back both texts, for any two texts', () => {
  for (let seed = 0; seed < 300; seed++) {
    const text = (salt: number) =>
      Array.from({ length: (seed * salt) % 12 }, (_, i) => `${(seed * 7 + i * i * salt) % 4}\n`).join('');
    const [before, after] = [text(3), text(5)];
    const lines = diffOf('f', before, after)
      .split('\n')
      .slice(2)
      .filter((l) => !l.startsWith('@@'));
    if (before === after) continue;
    const without = (mark: string) => lines.filter((l) => !l.startsWith(mark)).map((l) => l.slice(1));
    // Nothing is left out at the edges of so small a text but lines far from any change.
    expect(before.split('\n').slice(0, -1).join()).toContain(without('+').join());
    expect(after.split('\n').slice(0, -1).join()).toContain(without('-').join());
  }
});

test('two large texts without a common line are shown, not computed for minutes', () => {
  const text = (letter: string) => Array.from({ length: 20_000 }, (_, i) => `${letter}${i}`).join('\n');
  expect(diffOf('f', text('a'), text('b')).split('\n').length).toBeGreaterThan(40_000);
});

test('letters that a terminal would obey, or that reorder or hide text, are spelled out', () => {
  const hostile = '\u001b]52;c;x\u0007 \r \u202e \u200b \u2028 \u0085 \ud800 \u{e0041}';
  expect(visible(hostile)).toBe(
    '\\x1b]52;c;x\\x07 \\x0d \\u{202e} \\u{200b} \\u{2028} \\x85 \\u{d800} \\u{e0041}',
  );
  const shown = diffOf('f\u001b', 'a\n', `${hostile}\n`);
  expect(['\u001b', '\u202e', '\u0007', '\r'].filter((letter) => shown.includes(letter))).toEqual([]);
  expect(visible('ordinary text, ünïcödé, 日本, tab\tand\nnewline')).toBe(
    'ordinary text, ünïcödé, 日本, tab\tand\nnewline',
  );
});
