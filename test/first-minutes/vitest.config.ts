import { defineConfig } from 'vitest/config';

/**
 * `npm run test:start`: runs the commands of the README and `npm start` in an empty home and a fresh clone. Installs
 * and builds packages.
 */
export default defineConfig({
  test: {
    include: ['test/first-minutes/**/*.test.ts'],
    testTimeout: 300_000,
    hookTimeout: 600_000,
    fileParallelism: false,
  },
});
