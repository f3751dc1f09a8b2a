import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { removeTree } from '../remove-tree.ts';
import { diffOf, unifiedPatch } from './diff.ts';
import { visible } from './visible.ts';

test('shows a changed line with its context', () => {
  const before = 'a\nb\nc\nd\ne\nf\ng\nh\n';
  expect(diffOf('g.sh', before, before.replace('f\n', 'F\nG\n'))).toBe(
    [
      '--- g.sh (trusted)',
      '+++ g.sh (now)',
      '@@ -3,6 +3,7 @@',
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
  ['a\n', 'a', ['@@ -1 +1 @@', '-a', '+a', '\\ No newline at end of file']],
  ['', 'x\n', ['@@ -0,0 +1 @@', '+x']],
  ['x\n', '', ['@@ -1 +0,0 @@', '-x']],
  ['1\n2\n3\n', '3\n1\n2\n', ['@@ -1,3 +1,3 @@', '+3', ' 1', ' 2', '-3']],
])('shows the difference from %j to %j', (before, after, lines) => {
  expect(diffOf('f', before, after)).toBe(['--- f (trusted)', '+++ f (now)', ...lines].join('\n'));
});

test('shows no difference for equal texts', () => expect(diffOf('f', 'a', 'a')).toBe(''));

test('removing the marked lines restores both texts, for any two texts', () => {
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
    // In such a small text, only lines far from any change are left out.
    expect(before.split('\n').slice(0, -1).join()).toContain(without('+').join());
    expect(after.split('\n').slice(0, -1).join()).toContain(without('-').join());
  }
});

test('shows two large texts without a common line, without computing for minutes', () => {
  const text = (letter: string) => Array.from({ length: 20_000 }, (_, i) => `${letter}${i}`).join('\n');
  expect(diffOf('f', text('a'), text('b')).split('\n').length).toBeGreaterThan(40_000);
});

test('escapes characters that a terminal interprets, hides or reorders', () => {
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

/** Small texts that differ at their ends, in the middle, in several places, or not at all. */
const TEXTS = [
  null,
  'a\n',
  'a',
  'a\r\nb\r\n',
  '\uFEFFa\n',
  ...Array.from({ length: 6 }, (_, n) => numbered(n)),
];
function numbered(salt: number): string {
  const lines = Array.from({ length: 40 }, (_, i) => (i % 13 === salt ? `changed ${salt}` : `line ${i}`));
  return `${lines.slice(salt).join('\n')}${salt % 2 === 0 ? '\n' : ''}`;
}
const PAIRS = TEXTS.flatMap((before) => TEXTS.map((after) => ({ before, after }))).filter(
  ({ before, after }) => before !== after,
);

const PROGRAMS = {
  'git apply': (patch: string) => ['git', 'apply', '--whitespace=nowarn', '-p1', patch],
  patch: (patch: string) => ['patch', '-s', '--binary', '-p1', '-d', '/', '-i', patch],
} as const;
const isHere = (program: string): boolean => spawnSync(program, ['--version']).status === 0;

test.each(Object.entries(PROGRAMS).filter(([name]) => isHere(name.split(' ')[0]!)))(
  '%s applies every patch from any text to any other',
  (_, words) => {
    const folder = mkdtempSync(join(tmpdir(), 'patch-'));
    try {
      for (const { before, after } of PAIRS) {
        const [file, patch] = [join(folder, 'settings.json'), join(folder, 'change.patch')];
        removeTree(file);
        if (before !== null) writeFileSync(file, before);
        writeFileSync(patch, unifiedPatch(file, before, after));
        const [program, ...args] = words(patch);
        const { status, stderr } = spawnSync(program!, args, { cwd: '/', encoding: 'utf8' });
        const now = existsSync(file) ? readFileSync(file, 'utf8') : null;
        expect([status, stderr, now], JSON.stringify({ before, after })).toEqual([0, '', after]);
      }
    } finally {
      removeTree(folder);
    }
  },
);
