import type { FailureKind } from '../../../events/exchange.ts';
import type { OnFailure } from '../../../events/hook.ts';
import { failure as kin } from '../../claude-code/dialect/sharing.ts';

/** Callbacks run in parallel like commands. All run, and a refusal does not stop others. */
export { sharing } from '../../claude-code/dialect/sharing.ts';

/** In the real CLI a timed-out callback refuses these events. Here every failure does. */
const GATES: ReadonlySet<string> = new Set(['PreToolUse', 'UserPromptSubmit']);

export const failure = (word: string, why: FailureKind): OnFailure =>
  GATES.has(word) ? 'block' : kin(word, why);
