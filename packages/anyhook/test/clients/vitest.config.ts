/** `npm run test:clients`: real agents, installed into a cache outside the lockfile, on loopback only. */
import { availableParallelism } from 'node:os';
import { basename } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** By how often each starts an agent, most first: what begins last must not be what takes longest. */
const LONGEST = [
  'doctor',
  'broken',
  'bridges',
  'daemon',
  'bang',
  'recipes',
  'stranger',
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
    maxWorkers: Math.min(4, availableParallelism() + 1), // each starts one agent at a time, and an agent waits now and then
    maxConcurrency: 2, // but where agents are tried side by side: much of a trial is waiting
    sequence: { sequencer: LongestFirst },
  },
});
