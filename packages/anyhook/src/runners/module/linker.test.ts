import path from 'node:path';
import { expect, test } from 'vitest';
import { builtInAsModule } from './linker.mjs';

const seen = (made: object): unknown => [made, Object.keys(made), '__esModule' in made];

test('a built-in module has itself as its default export', () => {
  const made = builtInAsModule(path as unknown as Record<string, unknown>);
  expect(seen(made)).toEqual([
    { ...path, default: path },
    [...Object.keys(path).filter((key) => key !== 'default'), 'default'],
    true,
  ]);
});

test('a built-in module that is compiled, as in Bun, keeps its own default export', () => {
  class Database {}
  const found = { __esModule: true, Database, default: Database };
  expect(seen(builtInAsModule(found))).toEqual([
    { Database, default: Database },
    ['Database', 'default'],
    true,
  ]);
});
