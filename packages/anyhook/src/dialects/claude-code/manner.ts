import type { Manner } from '../../canon/dialect.ts';
import type { Broken } from '../../canon/exchange.ts';
import type { OnFailure } from '../../canon/hook.ts';

/** Side by side, all run, a refusal stops nobody; changes are put together in configured order. */
const TOGETHER: Manner = Object.freeze({
  order: 'together',
  sees: 'original',
  stopsOn: Object.freeze([]),
  keep: 'all',
});
export const manner = (_word: string): Manner => TOGETHER;

/** Open: what breaks lets pass, and is marked. But a switch of models waits, and a worktree nobody made is none. */
export const failure = (word: string, why: Broken): OnFailure =>
  word === 'WorktreeCreate' || (word === 'PreModelSwitch' && why === 'timed-out') ? 'block' : 'allow';
