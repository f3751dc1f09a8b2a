/** `npm run test:packed`: runs the tests of the public API against the package as it is published. */

import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { unpack } from './pack.ts';
import { publicImports } from './public-imports.ts';

unpack();
const { plugin, isOfPublicApi } = await publicImports();
const sources = join(import.meta.dirname, '../../packages/anyhook/src');
/** Tests of internals in these folders. */
const INTERNAL =
  /^(?:engine|events|gather|journal|modules|runners|runs|self-protection|sessions|settings|shell)\/|\/dialect\//;
const tests = readdirSync(sources, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.test.ts') && !INTERNAL.test(name))
  .map((name) => join(sources, name));

export default defineConfig({
  plugins: [plugin],
  test: {
    include: tests.filter(isOfPublicApi),
    maxWorkers: availableParallelism(),
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
