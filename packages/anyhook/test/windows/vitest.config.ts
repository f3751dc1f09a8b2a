import { defineConfig } from 'vitest/config';

/** `npm run test:windows`: Windows programs under Wine. `scripts/test-windows.mjs` brings what they need. */
export default defineConfig({
  test: {
    include: ['packages/anyhook/test/windows/*.test.ts', 'packages/client/test/wine.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Both end the Wine server.
    fileParallelism: false,
  },
});
