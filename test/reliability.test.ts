/** Checks that docs/reliability.md names an existing test for every threat and every failure. */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
const page = readFileSync(join(ROOT, 'docs/reliability.md'), 'utf8');
const threats = [...page.matchAll(/^\| (T\d+) \|.*\| ([^|]+) \|$/gm)].map(([, id, tests]) => ({
  id: id!,
  tests: [...tests!.matchAll(/`([^`]+)`/g)].map(([, file]) => file!),
}));

test('every threat has a row, and every row has tests', () => {
  expect(threats.map(({ id }) => id)).toEqual(Array.from({ length: 43 }, (_, at) => `T${at + 1}`));
  expect(threats.filter(({ tests }) => tests.length === 0)).toEqual([]);
});

/** The number of failures collected from public bug reports. */
const SHAPES = 50;
const [, shapesPart = ''] = page.split('## Failure shapes of public bugs');
const shapes = [...shapesPart.matchAll(/^\| [^|]*\| ([^|]+) \| [^|]+ \| (`[^|]+) \|$/gm)].map(
  ([, id, tests]) => ({ id: id!, tests: [...tests!.matchAll(/`([^`]+)`/g)].map(([, file]) => file!) }),
);

test('every failure has a row, and every row has tests', () => {
  expect(new Set(shapes.map(({ id }) => id)).size).toBe(SHAPES);
  expect(shapes.filter(({ tests }) => tests.length === 0)).toEqual([]);
});

test('every test on the reliability page exists', () => {
  const missing = [...threats, ...shapes].flatMap(({ id, tests }) =>
    tests.filter((file) => !existsSync(join(ROOT, 'packages/anyhook', file))).map((file) => `${id}: ${file}`),
  );
  expect(missing).toEqual([]);
});

test('every measured figure is in the table of the reliability page', () => {
  const kept = JSON.parse(readFileSync(join(ROOT, 'packages/anyhook/test/faults/results.json'), 'utf8')) as {
    readonly id: string;
    readonly value: string;
  }[];
  const wanted = ['G1', 'G2', 'G3', 'G4', 'G5', 'G6', 'G7', 'G14', 'G15', 'G17', 'G21'];
  expect(wanted.filter((id) => !kept.some((one) => one.id === id))).toEqual([]);
  expect(kept.filter(({ value }) => !page.includes(value))).toEqual([]);
});
