/** `npm run test:faults`: faults, attacks and load, each a figure of docs/reliability.md in one line. */
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** They measure times and memory: nothing runs beside them. */
const ALONE = ['faults/{deadline,load,recursion}.test.ts'];

// No test talks to anybody outside; reading these costs every Node that is started more than all the rest of its start.
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
