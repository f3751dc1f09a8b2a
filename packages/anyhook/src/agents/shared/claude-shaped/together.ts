import type { Sharing } from '../../../events/dialect.ts';

/** Side by side, all run, any refusal counts; a later hook sees nothing of an earlier one's change. */
const TOGETHER: Sharing = Object.freeze({
  order: 'together',
  sees: 'original',
  stopsOn: Object.freeze([]),
  keep: 'all',
});
export const sharing = (_word: string): Sharing => TOGETHER;
