import type { Manner } from '../../canon/dialect.ts';
import type { OnFailure } from '../../canon/hook.ts';

/** Side by side, all run, any refusal counts. One `sequential` group makes all of them wait; see the list of gaps. */
const TOGETHER: Manner = Object.freeze({
  order: 'together',
  sees: 'original',
  stopsOn: Object.freeze([]),
  keep: 'all',
});
export const manner = (_word: string): Manner => TOGETHER;

/** A hook that cannot start or runs out of time lets the action pass. */
export const failure = (_word: string): OnFailure => 'allow';
