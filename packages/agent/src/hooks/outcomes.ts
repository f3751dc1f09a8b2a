/** Reads outcomes for the events in `wire.ts`. */

import type { Fields, Gift, Outcome } from 'anyhook';

/** Returns all gifts of a kind. `outcome.gift` is the effective one where only one can apply. */
export const giftsIn = ({ given }: Outcome, what: Gift): readonly unknown[] =>
  given.flatMap((gift) => (gift.what === what ? [gift.value] : []));

/** Returns the reason for the model if the action is refused. Undefined if it may proceed or the user must be asked. */
export const refusedFor = ({ proceed, reason, aborted }: Outcome): string | undefined =>
  proceed !== 'no' ? undefined : aborted ? 'it was interrupted' : reason;

/** The fields that hooks changed: `input.command` as `command`, other fields under their full name. */
export const changedIn = ({ changed }: Outcome): readonly string[] => [
  ...new Set(changed.map(({ at }) => at.replace(/^input\./, ''))),
];

/** Describes the hooks that failed without blocking anything. */
export const passedOver = ({ runs }: Outcome): readonly string[] =>
  runs.flatMap(({ hook, failedOpen, answer }) => {
    const { kind = 'unknown', detail } = answer?.failed ?? {};
    const why = detail === undefined ? kind : `${kind}: ${detail}`;
    return failedOpen ? [`${hook} failed (${why}) and was passed over`] : [];
  });

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Context for the model, and whether the agent must stop. */
export interface Advice {
  readonly contexts: readonly string[];
  readonly halt?: string;
}
export const adviceIn = (outcome: Outcome): Advice => ({
  contexts: outcome.forModel,
  ...(outcome.flow.halt !== undefined && { halt: outcome.flow.halt || 'a hook stopped the agent' }),
});
export const stopped = (outcome: Outcome): Advice & { resume?: string } => ({
  ...adviceIn(outcome),
  ...(outcome.proceed === 'no' && { resume: outcome.reason }),
});
