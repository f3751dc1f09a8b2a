/**
 * `npm run test:peers`: the oldest and newest supported AI SDK from npm (`npm test` has the one between), and the
 * bundler of Bun.
 */

import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/peers/**/*.test.ts'],
    testTimeout: 300_000,
    hookTimeout: 600_000,
    fileParallelism: false,
  },
});
