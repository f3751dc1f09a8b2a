/** docs/seeds.md: every requirement of the five documents has its test, and the test is there. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
const PAGE = readFileSync(join(ROOT, 'docs', 'seeds.md'), 'utf8');

const LINE =
  /^- \*\*(?<letter>[OGSCP])(?<number>\d+)\*\* (?<what>.+) · (?:`(?<file>[^`]+\.test\.ts)`: `(?<title>[^`]+)`|differs: (?<why>.+))$/;

interface Line {
  readonly id: string;
  readonly file?: string;
  readonly title?: string;
}
/** Undefined: it looks like a requirement, and cannot be read as one. */
function readLine(text: string): Line | undefined {
  const { letter, number, file, title } = LINE.exec(text)?.groups ?? {};
  if (letter === undefined) return undefined;
  return { id: `${letter}${number}`, ...(file !== undefined && title !== undefined && { file, title }) };
}

/** What is wrong with the proof that a line names. */
function faultOf({ id, file, title }: Line): string[] {
  if (file === undefined || title === undefined) return [];
  const path = join(ROOT, file);
  if (!existsSync(path)) return [`${id}: there is no ${file}`];
  const source = readFileSync(path, 'utf8').replaceAll("\\'", "'");
  const isThere = (text: string) => ["'", '"', '`'].some((quote) => source.includes(quote + text + quote));
  return title
    .split(' › ')
    .filter((part) => !isThere(part))
    .map((part) => `${id}: ${file} has no ${JSON.stringify(part)}`);
}

const texts = PAGE.split('\n').filter((text) => text.startsWith('- '));
const lines = texts.flatMap((text) => readLine(text) ?? []);

test('every line is a requirement with its test, or with the reason why there is none', () => {
  expect(texts.filter((text) => readLine(text) === undefined)).toEqual([]);
  expect(readLine('- **O1** it works · surely')).toBe(undefined);
  expect(readLine('- **O1** it works · not proven yet: no time')).toBe(undefined);
});

test('the requirements of a document are numbered without a gap, and none of the five is left out', () => {
  const count = (letter: string) => lines.filter(({ id }) => id.startsWith(letter)).length;
  const expected = ['O', 'G', 'S', 'C', 'P'].flatMap((letter) =>
    Array.from({ length: count(letter) }, (_, at) => `${letter}${at + 1}`),
  );
  expect(lines.map(({ id }) => id)).toEqual(expected);
  expect(count('O') + count('G') + count('S')).toBeGreaterThanOrEqual(210);
  expect(count('C') + count('P')).toBeGreaterThanOrEqual(155);
});

test('every test that is named exists', () => {
  expect(lines.flatMap(faultOf)).toEqual([]);
  const file = 'packages/anyhook/src/surfaces/opta/seed.test.ts';
  expect(faultOf({ id: 'O1', file, title: 'kills hooks that exceed their timeout' })).toEqual([
    `O1: ${file} has no "kills hooks that exceed their timeout"`,
  ]);
  expect(faultOf({ id: 'O1', file: 'no/such.test.ts', title: 'x' })).toEqual([
    'O1: there is no no/such.test.ts',
  ]);
});
