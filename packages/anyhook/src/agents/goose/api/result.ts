/** An outcome in Goose's words. */
import type { Outcome } from '../../../events/outcome.ts';
import { additionalContextOf, refusedFor } from '../dialect/write-reply.ts';
import type { GooseResult } from './types.ts';

export const NOT_BLOCKED: GooseResult = Object.freeze({ blocked: false, runs: Object.freeze([]) });

/** What was said for the model is dropped when it is blocked. */
export function gooseResultOf(outcome: Outcome): GooseResult {
  const { runs, said } = outcome;
  const reason = refusedFor(outcome);
  if (reason !== undefined) return { blocked: true, reason, runs };
  const additionalContext = additionalContextOf(outcome);
  const overruled = said.find(({ by }) => by === 'host')?.text;
  return {
    blocked: false,
    ...(overruled !== undefined && { reason: overruled }),
    ...(additionalContext !== '' && { additionalContext }),
    runs,
  };
}
