import { defineConfig } from 'vitest/config';

/** `npm run test:view`: what needs a real browser, that is Chromium. */
export default defineConfig({
  test: {
    include: ['packages/anyhook/test/view/**/*.test.ts'],
    testTimeout: 300_000,
    hookTimeout: 120_000,
    fileParallelism: false,
  },
});
