/** G3: checks the merge laws on many more random sets of hooks than `npm test`. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { makeEngine } from '../../src/engine/engine.ts';
import { lower } from '../../src/engine/lower.ts';
import { followQuestion } from '../../src/engine/open-questions.ts';
import { outcomeOf } from '../../src/events/outcome.ts';
import { FAULTS, plant } from '../laws/faults.ts';
import { LAWS, type LawName } from '../laws/laws.ts';
import { control, counted, grouped, result, SEED } from './results.ts';

const SETS = counted(200_000);
const names = Object.keys(LAWS) as LawName[];

test(`${grouped(SETS)} random sets of hooks satisfy ${names.length} laws`, async () => {
  const numRuns = Math.ceil(SETS / names.length);
  let broken = 0;
  const said: string[] = [];
  for (const name of names) {
    const run = await fc.check(LAWS[name]({ makeEngine, lower, outcomeOf, followQuestion }), {
      numRuns,
      seed: SEED,
    });
    if (!run.failed) continue;
    broken++;
    said.push(`${name}: seed ${run.seed}, path ${run.counterexamplePath}`);
  }
  result(
    'G3',
    `${grouped(SETS)} random sets of hooks, seed ${SEED}`,
    `${broken} of ${names.length} laws broken`,
  );
  expect(said).toEqual([]);
});

// `test/laws/faults.test.ts` plants all faults. One per engine file shows that this search finds them too.
test.each([0, 4, 11, 20].map((at) => FAULTS[at]!))('control: $name', async ({ name, law, edits }) => {
  const { failed, numRuns } = await fc.check(LAWS[law](await plant(edits)), {
    numRuns: 10_000,
    seed: 1,
    endOnFailure: true,
  });
  control('G3', name, failed ? `"${law}" broken after ${grouped(numRuns)} sets` : 'not seen');
  expect(failed).toBe(true);
});
