/** An outcome in the words of section 2: cancelled or not, and why. */
import type { Event } from '../../../events/event.ts';
import type { Outcome } from '../../../events/outcome.ts';
import { updatedInput } from '../dialect/output.ts';
import type { HookResult } from './types.ts';

export const NOT_CANCELLED: HookResult = Object.freeze({ cancelled: false });

/** `speaksJson`: the hooks whose denial is a decision of the V4 protocol, and not an exit code. */
export function optaResultOf(
  outcome: Outcome,
  event: Event,
  speaksJson: ReadonlySet<string> = new Set(),
): HookResult {
  const { proceed, verdict, changed, said } = outcome;
  if (proceed === 'no') {
    const isDecision = outcome.reasons.some(({ by, broken }) => speaksJson.has(by) && broken !== true);
    const decision = verdict === 'deny' && isDecision ? { decision: 'deny' as const } : {};
    return Object.freeze({ cancelled: true, reason: outcome.reason, ...decision });
  }
  const isAsked = verdict === 'ask';
  const told = outcome.forModel.join('\n');
  const result: HookResult = { cancelled: isAsked };
  const reason = isAsked ? outcome.reason : said.find(({ by }) => by === 'host')?.text;
  if (reason !== undefined) result.reason = reason;
  if (verdict !== 'none') result.decision = isAsked ? 'ask' : 'allow';
  // A tool's arguments are an object, and so are the fields of another event.
  if (changed.length > 0) result.updatedInput = updatedInput(outcome, event) as Record<string, unknown>;
  if (told !== '') result.additionalContext = told;
  return Object.keys(result).length === 1 && !isAsked ? NOT_CANCELLED : Object.freeze(result);
}
