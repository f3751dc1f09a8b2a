import path from 'node:path';
import { expect, test } from 'vitest';
import { builtInAsModule } from './linker.mjs';

const seen = (made: object): unknown => [made, Object.keys(made), '__esModule' in made];

test('what Node has built in is a module whose default is all of it', () => {
  const made = builtInAsModule(path as unknown as Record<string, unknown>);
  expect(seen(made)).toEqual([
    { ...path, default: path },
    [...Object.keys(path).filter((key) => key !== 'default'), 'default'],
    true,
  ]);
});

test('one that is a compiled module already, as Bun has some, keeps its own default', () => {
  class Database {}
  const found = { __esModule: true, Database, default: Database };
  expect(seen(builtInAsModule(found))).toEqual([
    { Database, default: Database },
    ['Database', 'default'],
    true,
  ]);
});
