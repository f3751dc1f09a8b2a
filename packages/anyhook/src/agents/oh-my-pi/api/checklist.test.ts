/** The docs page names the test of each promise. This test fails if such a test was renamed or removed. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const HERE = import.meta.dirname;
const FOLDERS = [HERE, join(HERE, '../dialect'), join(HERE, '../../../../test/clients')];
const tests = FOLDERS.flatMap((folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.test.ts') && name !== 'checklist.test.ts')
    .map((name) => readFileSync(join(folder, name), 'utf8')),
).join('\n');

/** Titles on the page that no test has; `…` matches anything. */
const lost = (titles: readonly string[]): string[] =>
  titles.filter((title) => !title.split('…').every((part) => tests.includes(part.trim())));

test('every title in the checklist is that of a test', () => {
  const page = readFileSync(join(HERE, '../../../../../../docs/dialects/oh-my-pi.md'), 'utf8');
  const [, section = ''] = /## What is proven, row by row\n([^]*?)\n## /.exec(page) ?? [];
  const titles = [...section.matchAll(/(?<![\w_])\*([^*|]+)\*(?!\w)/g)].map(([, title = '']) => title);
  expect(titles.length).toBeGreaterThan(50);
  expect(lost(titles)).toEqual([]);
  expect(lost(['no test has this title'])).toEqual(['no test has this title']); // control
});
