/** `npm run test:guards`: what the guards hold against, in figures. One folder per kind; a figure is one line. */
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    root: `${import.meta.dirname}/..`,
    include: ['guards/**/*.test.ts', 'corpus/**/*.test.ts'],
    globalSetup: [`${import.meta.dirname}/figures-setup.ts`],
    testTimeout: 600_000,
    hookTimeout: 300_000,
    fileParallelism: false,
  },
});
