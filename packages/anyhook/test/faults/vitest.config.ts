/** `npm run test:faults`: faults, attacks and load, each a figure of docs/reliability.md in one line. */
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    root: `${import.meta.dirname}/..`,
    include: ['faults/**/*.test.ts'],
    exclude: ['faults/soak/**'],
    globalSetup: [`${import.meta.dirname}/results-setup.ts`],
    testTimeout: 900_000,
    hookTimeout: 300_000,
    fileParallelism: false,
  },
});
