/** `npm run test:faults`: faults, attacks and load. Prints one line per figure of docs/reliability.md. */

import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** These tests measure time and memory, so they run alone. */
const ALONE = ['faults/{deadline,load,recursion}.test.ts'];

// No test uses the network, and reading these certificates dominates the start time of Node.
delete process.env['NODE_EXTRA_CA_CERTS'];

export default defineConfig({
  test: {
    root: `${import.meta.dirname}/..`,
    globalSetup: [`${import.meta.dirname}/results-setup.ts`],
    testTimeout: 900_000,
    hookTimeout: 300_000,
    projects: [
      {
        extends: true,
        test: { name: 'alone', include: ALONE, maxWorkers: 1, sequence: { groupOrder: 1 } },
      },
      {
        extends: true,
        test: {
          name: 'together',
          include: ['faults/**/*.test.ts'],
          exclude: ['faults/soak/**', ...ALONE],
          maxWorkers: availableParallelism(),
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
