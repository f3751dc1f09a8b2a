/** `npm run test:wild`: published packages, installed into the cache of the client suite as they are wanted. */

import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['**/*.test.ts'],
    reporters: ['verbose'],
    // Above what the programs of one package may take together: each is ended at a deadline of its own.
    testTimeout: 1_200_000,
    hookTimeout: 120_000,
    fileParallelism: false,
  },
});
