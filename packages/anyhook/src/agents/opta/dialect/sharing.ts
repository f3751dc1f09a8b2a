import type { Sharing } from '../../../events/dialect.ts';
import type { FailureKind } from '../../../events/exchange.ts';
import type { OnFailure } from '../../../events/hook.ts';

const IN_TURN: Sharing = { order: 'in-turn', sees: 'so-far', stopsOn: ['deny', 'resume'], keep: 'all' };

/** Configuration order, one after another; the first block ends it. */
export const sharing = (_word: string): Sharing => IN_TURN;

const GATES: ReadonlySet<string> = new Set(['tool.pre', 'prompt.pre']);

/** A guard that cannot do its work blocks, as exit 127 does; a timeout does not (section 6, task 5). */
export const failure = (word: string, why: FailureKind): OnFailure =>
  GATES.has(word) && why !== 'timed-out' ? 'block' : 'allow';
