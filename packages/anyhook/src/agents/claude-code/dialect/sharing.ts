import type { FailureKind } from '../../../events/exchange.ts';
import type { OnFailure } from '../../../events/hook.ts';

export { sharing } from '../../shared/claude-shaped/together.ts';

/**
 * Failed hooks let pass and are marked, except for a model switch, which waits, and a worktree, which is then missing.
 */
export const failure = (word: string, why: FailureKind): OnFailure =>
  word === 'WorktreeCreate' || (word === 'PreModelSwitch' && why === 'timed-out') ? 'block' : 'allow';
