/** Checks that docs/seeds.md names an existing, active test for every requirement of the five documents. */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
const PAGE = readFileSync(join(ROOT, 'docs', 'seeds.md'), 'utf8');

const LINE =
  /^- \*\*(?<letter>[OGSCP])(?<number>\d+)\*\* (?<what>.+) · (?:`(?<file>[^`]+\.test\.ts)`: `(?<title>[^`]+)`|differs: (?<why>.+))$/;

interface Line {
  readonly id: string;
  readonly what: string;
  readonly file?: string;
  readonly title?: string;
}
/** Undefined if the line looks like a requirement but cannot be parsed. */
function readLine(text: string): Line | undefined {
  const { letter, number, what, file, title } = LINE.exec(text)?.groups ?? {};
  if (what === undefined) return undefined;
  return {
    id: `${letter}${number}`,
    what,
    ...(file !== undefined && title !== undefined && { file, title }),
  };
}

/** What is wrong with the test that a line names. */
function faultsOf({ id, what, file, title }: Line): string[] {
  const isAboutAgent = what.startsWith('[agent] ');
  if (file === undefined || title === undefined)
    return isAboutAgent ? [`${id}: is about an agent and names no test`] : [];
  if (isAboutAgent && !file.startsWith('packages/agent/'))
    return [`${id}: is about an agent, and its test is not in packages/agent`];
  const path = join(ROOT, file);
  if (!existsSync(path)) return [`${id}: there is no ${file}`];
  return titleFaults(readFileSync(path, 'utf8').replaceAll("\\'", "'"), title).map(
    (fault) => `${id}: ${file} ${fault}`,
  );
}

/** `a › b` is the first test `b` after the group title `a`. */
function titleFaults(source: string, title: string): string[] {
  const [last = '', ...groups] = title.split(' › ').toReversed();
  let from = 0;
  for (const group of groups.toReversed()) {
    const places = placesOf(source, group);
    if (places.length !== 1) return [amount(places, group)];
    from = places[0]!;
  }
  const places = placesOf(source, last).filter((at) => at > from);
  if (places.length === 0 || (groups.length === 0 && places.length > 1)) return [amount(places, last)];
  const call = source.slice(0, places[0]).trimEnd();
  return /\.(?:skip|todo|fails)\($/.test(call) ? [`skips ${JSON.stringify(last)}`] : [];
}
const amount = (places: readonly number[], title: string): string =>
  places.length === 0
    ? `has no ${JSON.stringify(title)}`
    : `has ${places.length} tests called ${JSON.stringify(title)}`;

/** Positions at which a text is the first argument of a call. */
const placesOf = (source: string, title: string): number[] =>
  ["'", '"', '`']
    .flatMap((quote) => {
      const parts = source.split(quote + title + quote);
      let at = 0;
      return parts.slice(0, -1).map((part, index) => {
        at += part.length + (index === 0 ? 0 : title.length + 2);
        return at;
      });
    })
    .filter((at) => source.slice(0, at).trimEnd().endsWith('('));

const texts = PAGE.split('\n').filter((text) => text.startsWith('- '));
const lines = texts.flatMap((text) => readLine(text) ?? []);

test('every line of docs/seeds.md is a requirement with its test or a reason', () => {
  expect(texts.filter((text) => readLine(text) === undefined)).toEqual([]);
  expect(readLine('- **O1** it works · surely')).toBe(undefined);
  expect(readLine('- **O1** it works · not proven yet: no time')).toBe(undefined);
});

test('the requirements of a document are numbered without a gap, and all five documents are covered', () => {
  const count = (letter: string) => lines.filter(({ id }) => id.startsWith(letter)).length;
  const expected = ['O', 'G', 'S', 'C', 'P'].flatMap((letter) =>
    Array.from({ length: count(letter) }, (_, at) => `${letter}${at + 1}`),
  );
  expect(lines.map(({ id }) => id)).toEqual(expected);
  expect(count('O') + count('G') + count('S')).toBeGreaterThanOrEqual(210);
  expect(count('C') + count('P')).toBeGreaterThanOrEqual(155);
});

test('every test in docs/seeds.md exists once in its file and is not skipped', () => {
  expect(lines.flatMap(faultsOf)).toEqual([]);
  const file = 'packages/anyhook/src/agents/opta/api/seed.test.ts';
  const faults = (title: string, more: Partial<Line> = {}) =>
    faultsOf({ id: 'O1', what: 'it works', file, title, ...more });
  expect(faults('kills hooks that exceed their timeout')).toEqual([
    `O1: ${file} has no "kills hooks that exceed their timeout"`,
  ]);
  expect(faults('x', { file: 'no/such.test.ts' })).toEqual(['O1: there is no no/such.test.ts']);
});

test('an ambiguous title, a skipped test and a text that is not a title are rejected', () => {
  expect(titleFaults(`test('a', f); test('a', g);`, 'a')).toEqual(['has 2 tests called "a"']);
  expect(titleFaults(`describe('x', () => { test('a', f); }); test('a', g);`, 'x › a')).toEqual([]);
  for (const how of ['skip', 'todo', 'fails'])
    expect(titleFaults(`test.${how}('a', f);`, 'a')).toEqual(['skips "a"']);
  expect(titleFaults(`const text = 'a';`, 'a')).toEqual(['has no "a"']);
});

test('a requirement about an agent is tested in the agent', () => {
  const what = '[agent] it works';
  const file = 'packages/anyhook/src/agents/opta/api/seed.test.ts';
  expect(faultsOf({ id: 'O1', what, file, title: 'kills hooks exceeding timeout' })).toEqual([
    'O1: is about an agent, and its test is not in packages/agent',
  ]);
  expect(faultsOf({ id: 'O1', what })).toEqual(['O1: is about an agent and names no test']);
  expect(lines.filter((line) => line.what.startsWith('[agent] ')).length).toBeGreaterThanOrEqual(50);
});
