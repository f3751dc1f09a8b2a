import type { Manner } from '../../canon/dialect.ts';
import type { Broken } from '../../canon/exchange.ts';
import type { OnFailure } from '../../canon/hook.ts';

const IN_TURN: Manner = { order: 'in-turn', sees: 'so-far', stopsOn: ['deny', 'resume'], keep: 'all' };

/** Configuration order, one after another; the first block ends it. */
export const manner = (_word: string): Manner => IN_TURN;

const GATES: ReadonlySet<string> = new Set(['tool.pre', 'prompt.pre']);

/** A guard that cannot do its work blocks, as exit 127 does; a timeout does not (section 6, task 5). */
export const failure = (word: string, why: Broken): OnFailure =>
  GATES.has(word) && why !== 'timed-out' ? 'block' : 'allow';
