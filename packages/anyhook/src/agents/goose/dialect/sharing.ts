import type { Sharing } from '../../../events/dialect.ts';
import type { OnFailure } from '../../../events/hook.ts';

const IN_TURN: Sharing = {
  order: 'in-turn',
  sees: 'so-far',
  stopsOn: ['deny', 'resume', 'cancel'],
  keep: 'all',
};

/** Strictly one after another, on every event; the first block ends it. */
export const sharing = (_word: string): Sharing => IN_TURN;

/** Open, and marked; `on_failure` closes it per hook. */
export const failure = (): OnFailure => 'allow';
