import { defineConfig } from 'vitest/config';

/** What needs a nats-server: `npm run test:fleet`. One file at a time: some of them measure, some kill. */
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['*.test.ts'],
    testTimeout: 240_000,
    hookTimeout: 120_000,
    fileParallelism: false,
  },
});
