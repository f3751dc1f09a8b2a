import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { GAPS } from './gaps.ts';

const PAGE = join(import.meta.dirname, '../../../../../../docs/dialects/goose.md');

test('the docs page lists every gap with its reason', () => {
  const page = readFileSync(PAGE, 'utf8');
  const rows = GAPS.map(
    ({ about, goose, here, because }) => `| ${about} | ${goose} | ${here} | ${because} |`,
  );
  expect(rows.filter((row) => !page.includes(row))).toEqual([]);
});
