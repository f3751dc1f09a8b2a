/** `npm run test:guards`: measures what guards stop, one folder per kind and one line per figure. */

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
