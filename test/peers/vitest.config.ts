/** `npm run test:peers`: the oldest and the newest AI SDK that we say we work with, fetched from npm (the one between is in `npm test`), and the bundler of Bun. */
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/peers/**/*.test.ts'],
    testTimeout: 300_000,
    hookTimeout: 600_000,
    fileParallelism: false,
  },
});
