/** `npm run test:soak`: three minutes, or `ANYHOOK_SOAK_MINUTES`. */

import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    root: `${import.meta.dirname}/..`,
    include: ['soak/**/*.test.ts'],
    globalSetup: [`${import.meta.dirname}/../results-setup.ts`],
    testTimeout: 2 * 3_600_000,
    fileParallelism: false,
  },
});
