import { defineConfig } from 'vitest/config';

/** `npm run test:terminal`: tests that need a real terminal (tmux). */
export default defineConfig({
  test: {
    include: ['packages/*/test/terminal/**/*.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 60_000,
    fileParallelism: false,
  },
});
