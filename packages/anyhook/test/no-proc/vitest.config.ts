import { defineConfig } from 'vitest/config';

const LEFT_OUT = [
  'recorded events',
  'refuses the next call of the session: (?!the script|the matcher|a package)',
  'everyday changes',
  'something else in the place of the socket',
  'callers that send nothing',
  'a daemon of another build',
];

/** `npm run test:no-proc`: events without `/proc`, as on macOS. `scripts/test-no-proc.mjs` hides it. */
export default defineConfig({
  test: {
    include: ['no-proc/*.test.ts', 'daemon/{faults,same}.test.ts', 'bound-guards.test.ts'].map(
      (file) => `packages/anyhook/test/${file}`,
    ),
    // Left out for their time: what does not depend on the system.
    testNamePattern: new RegExp(`^(?!.*(?:${LEFT_OUT.join('|')}))`),
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 3,
  },
});
