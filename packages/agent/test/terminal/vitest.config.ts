import { defineConfig } from 'vitest/config';

/** `npm run test:terminal`: what needs a real terminal, that is tmux. */
export default defineConfig({
  test: {
    include: ['packages/*/test/terminal/**/*.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 60_000,
    fileParallelism: false,
  },
});
