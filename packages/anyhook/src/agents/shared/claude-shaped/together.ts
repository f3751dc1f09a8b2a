import type { Sharing } from '../../../events/dialect.ts';

/** All hooks run in parallel and any refusal counts. No hook sees changes of another hook. */
const TOGETHER: Sharing = Object.freeze({
  order: 'together',
  sees: 'original',
  stopsOn: Object.freeze([]),
  keep: 'all',
});
export const sharing = (_word: string): Sharing => TOGETHER;
