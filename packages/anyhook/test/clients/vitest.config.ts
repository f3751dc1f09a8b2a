/** `npm run test:clients`: real agents from a cache outside the lockfile, on loopback only. */

import { availableParallelism } from 'node:os';
import { basename } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that start agents most often come first, so that the longest file does not start last. */
const LONGEST = [
  'doctor',
  'broken',
  'bridges',
  'daemon',
  'bang',
  'recipes',
  'custom-agent',
  'managed',
  'additions',
  'variables',
];
const placeOf = ({ moduleId }: TestSpecification): number => {
  const place = LONGEST.indexOf(basename(moduleId, '.test.ts'));
  return place === -1 ? LONGEST.length : place;
};
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((a, b) => placeOf(a) - placeOf(b));
  }
}

export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['**/*.test.ts'],
    globalSetup: ['./install.ts'],
    testTimeout: 300_000,
    hookTimeout: 120_000,
    maxWorkers: Math.min(4, availableParallelism() + 1), // Each test starts one agent at a time, and agents often wait.
    maxConcurrency: 2, // Files that test agents in parallel mostly wait.
    sequence: { sequencer: LongestFirst },
  },
});
