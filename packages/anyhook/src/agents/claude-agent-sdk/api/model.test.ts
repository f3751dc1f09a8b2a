/** Runs a few sequences by default; `npm run test:faults` runs 20,000. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CHANNEL_FAULTS, protocolProperty } from './fixtures/protocol-model.ts';

const RUNS = 1000;

test(
  `in ${RUNS} random sequences each request has exactly one outcome, and nothing hangs`,
  { timeout: 1_200_000 },
  async () => {
    await fc.assert(protocolProperty(CHANNEL_FAULTS.none), { numRuns: RUNS });
  },
);

test.each(['twice', 'lost'] as const)('the model detects an answer that comes %s', async (fault) => {
  expect(
    (await fc.check(protocolProperty(CHANNEL_FAULTS[fault]), { numRuns: 500, endOnFailure: true })).failed,
  ).toBe(true);
});
