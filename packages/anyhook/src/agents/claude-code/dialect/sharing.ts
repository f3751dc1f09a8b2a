import type { FailureKind } from '../../../events/exchange.ts';
import type { OnFailure } from '../../../events/hook.ts';

export { sharing } from '../../shared/claude-shaped/together.ts';

/** Open: what breaks lets pass, and is marked. But a switch of models waits, and a worktree nobody made is none. */
export const failure = (word: string, why: FailureKind): OnFailure =>
  word === 'WorktreeCreate' || (word === 'PreModelSwitch' && why === 'timed-out') ? 'block' : 'allow';
