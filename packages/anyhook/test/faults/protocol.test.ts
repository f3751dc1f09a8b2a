/** G21: compares random sequences on the control channel with a model. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  CHANNEL_FAULTS,
  protocolProperty,
} from '../../src/agents/claude-agent-sdk/api/fixtures/protocol-model.ts';
import { control, counted, grouped, result, SEED } from './results.ts';

const SEQUENCES = counted(20_000);

test(`${grouped(SEQUENCES)} random sequences on the control channel match the model`, async () => {
  const { failed, counterexample } = await fc.check(protocolProperty(CHANNEL_FAULTS.none), {
    numRuns: SEQUENCES,
    seed: SEED,
  });
  result(
    'G21',
    `${grouped(SEQUENCES)} random sequences on the control channel, seed ${SEED}`,
    failed ? 'a request without its one outcome' : 'each request has exactly one outcome, none hangs',
  );
  expect([failed, counterexample]).toEqual([false, null]);
});

test.each(['twice', 'lost'] as const)('control: an answer that comes %s is detected', async (fault) => {
  const run = await fc.check(protocolProperty(CHANNEL_FAULTS[fault]), { numRuns: 500, endOnFailure: true });
  control(
    'G21',
    `an answer that comes ${fault}`,
    run.failed ? `seen after ${run.numRuns} sequences` : 'not seen',
  );
  expect(run.failed).toBe(true);
});
