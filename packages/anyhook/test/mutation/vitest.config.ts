/** The tests of one area of `npm run test:mutation`, as Stryker runs them. */

import { defineConfig } from 'vitest/config';
import { AREAS } from './areas.mjs';

const area = AREAS[process.env['MUTATION_AREA'] ?? ''];
if (area === undefined) throw new Error(`MUTATION_AREA: one of ${Object.keys(AREAS).join(', ')}`);

export default defineConfig({
  test: {
    root: `${import.meta.dirname}/../..`,
    include: [...area.tests],
    pool: 'threads',
    // Most of what a planted fault costs is the start of a worker and the loading of our modules: once per fault, not once per file.
    isolate: false,
    testTimeout: 60_000,
    // Properties: a fault that shows at all shows in a few runs.
    env: { RUNS: '100' },
  },
});
