import { defineConfig } from 'vitest/config';

/** `npm run test:client`: all tests of the clients, also those that wait for real timeouts. */
export default defineConfig({
  test: {
    include: ['packages/client/test/**/*.test.ts'],
    testTimeout: 60_000,
    // Most of the time is spent waiting.
    maxWorkers: 4,
  },
});
