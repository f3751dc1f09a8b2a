import type { Manner } from '../../canon/dialect.ts';
import type { OnFailure } from '../../canon/hook.ts';

const IN_TURN: Manner = {
  order: 'in-turn',
  sees: 'so-far',
  stopsOn: ['deny', 'resume', 'cancel'],
  keep: 'all',
};

/** Strictly one after another, on every event; the first block ends it. */
export const manner = (_word: string): Manner => IN_TURN;

/** Open, and marked; `on_failure` closes it per hook. */
export const failure = (): OnFailure => 'allow';
