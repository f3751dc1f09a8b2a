import type { Manner } from '../../canon/dialect.ts';
import type { OnFailure } from '../../canon/hook.ts';

/** Side by side, all run, any refusal counts; a later hook sees nothing of an earlier one's change. */
const TOGETHER: Manner = Object.freeze({
  order: 'together',
  sees: 'original',
  stopsOn: Object.freeze([]),
  keep: 'all',
});
export const manner = (_word: string): Manner => TOGETHER;

/** Whatever goes wrong, the action goes on. */
export const failure = (_word: string): OnFailure => 'allow';
