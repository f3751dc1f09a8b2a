import { defineConfig } from 'vitest/config';

/**
 * Tests that need a nats-server: `npm run test:fleet`. Files run one at a time, because some measure time and some
 * kill processes.
 */
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['*.test.ts'],
    testTimeout: 240_000,
    hookTimeout: 120_000,
    fileParallelism: false,
  },
});
