/** Every law detects the fault that it exists for. */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FAULTS, plant } from './faults.ts';
import { LAWS, type LawName } from './laws.ts';

/** Deterministic, so that a fault is found every time. */
const search = { numRuns: 10_000, seed: 1, endOnFailure: true };

describe('a fault is caught', () => {
  test.each(FAULTS)('$name', async ({ law, edits }) => {
    const { failed } = await fc.check(LAWS[law](await plant(edits)), search);
    expect(failed).toBe(true);
  });
});

test('control: an unmodified copy of the engine satisfies every law', async () => {
  const sound = await plant([]);
  for (const name of Object.keys(LAWS) as LawName[]) await fc.assert(LAWS[name](sound), { numRuns: 100 });
});

test('every law has a fault that it alone is named for', () => {
  expect(new Set(FAULTS.map(({ law }) => law))).toEqual(new Set(Object.keys(LAWS)));
});

test('a fault whose snippet is gone is an error, not a pass', async () => {
  await expect(plant([{ file: 'engine/fire.ts', find: 'no such line', put: '' }])).rejects.toThrow(
    'engine/fire.ts does not hold exactly once: no such line',
  );
});
