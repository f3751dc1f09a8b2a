import { defineConfig } from 'vitest/config';

/** `npm run test:start`: what README and `npm start` print, typed in an empty home and in a fresh clone: installs, builds. */
export default defineConfig({
  test: {
    include: ['test/first-minutes/**/*.test.ts'],
    testTimeout: 300_000,
    hookTimeout: 600_000,
    fileParallelism: false,
  },
});
