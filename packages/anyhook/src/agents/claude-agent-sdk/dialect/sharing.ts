import type { FailureKind } from '../../../events/exchange.ts';
import type { OnFailure } from '../../../events/hook.ts';
import { failure as kin } from '../../claude-code/dialect/sharing.ts';

/** Callbacks are called side by side, as commands are; all run, and a refusal stops nobody. */
export { sharing } from '../../claude-code/dialect/sharing.ts';

/** A callback that ran out of time holds these shut in the real CLI; here every failure does. */
const GATES: ReadonlySet<string> = new Set(['PreToolUse', 'UserPromptSubmit']);

export const failure = (word: string, why: FailureKind): OnFailure =>
  GATES.has(word) ? 'block' : kin(word, why);
