/** `RUNS=200000 npx vitest run packages/anyhook/test/laws` is the long run. */

import fc from 'fast-check';
import { describe, test } from 'vitest';
import { makeEngine } from '../../src/engine/engine.ts';
import { lower } from '../../src/engine/lower.ts';
import { followQuestion } from '../../src/engine/open-questions.ts';
import { outcomeOf } from '../../src/events/outcome.ts';
import { LAWS, type LawName } from './laws.ts';

const numRuns = Number(process.env['RUNS'] ?? 2_000);

describe('for every set of hooks', () => {
  for (const name of Object.keys(LAWS) as LawName[])
    test(name, { timeout: 30_000 + numRuns * 20 }, () =>
      fc.assert(LAWS[name]({ makeEngine, lower, outcomeOf, followQuestion }), { numRuns }),
    );
});
