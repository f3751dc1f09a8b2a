/** An outcome, read: what the moments of `wire.ts` ask of one. */
import type { Fields, Gift, Outcome } from 'anyhook';

/** All of a kind; `outcome.gift` is the one that counts where there can be only one. */
export const giftsIn = ({ given }: Outcome, what: Gift): readonly unknown[] =>
  given.flatMap((gift) => (gift.what === what ? [gift.value] : []));

/** Why it may not happen, as the model may read it; undefined where it may, or where the person is to be asked. */
export const refusedFor = ({ proceed, reason, aborted }: Outcome): string | undefined =>
  proceed !== 'no' ? undefined : aborted ? 'it was interrupted' : reason;

/** Which fields hooks changed: `input.command` as `command`, anything else as it is. */
export const changedIn = ({ changed }: Outcome): readonly string[] => [
  ...new Set(changed.map(({ at }) => at.replace(/^input\./, ''))),
];

/** The hooks that failed without stopping anything, each with what went wrong. */
export const passedOver = ({ runs }: Outcome): readonly string[] =>
  runs.flatMap(({ hook, failedOpen, answer }) => {
    const { kind = 'unknown', detail } = answer?.failed ?? {};
    const why = detail === undefined ? kind : `${kind}: ${detail}`;
    return failedOpen ? [`${hook} failed (${why}) and was passed over`] : [];
  });

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What the model is to read, and whether the agent has to stop. */
export interface Advice {
  readonly contexts: readonly string[];
  readonly halt?: string;
}
export const told = (outcome: Outcome): Advice => ({
  contexts: outcome.forModel,
  ...(outcome.flow.halt !== undefined && { halt: outcome.flow.halt || 'a hook stopped the agent' }),
});
export const stopped = (outcome: Outcome): Advice & { resume?: string } => ({
  ...told(outcome),
  ...(outcome.proceed === 'no' && { resume: outcome.reason }),
});
