/** `npm run test:clients`: real agents, installed into a cache outside the lockfile, on loopback only. */
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['**/*.test.ts'],
    globalSetup: ['./install.ts'],
    testTimeout: 300_000,
    hookTimeout: 120_000,
    maxWorkers: Math.max(1, Math.min(4, availableParallelism())), // each of them starts one agent at a time
  },
});
