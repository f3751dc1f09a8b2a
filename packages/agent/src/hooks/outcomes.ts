/** An outcome, read: what the moments of `wire.ts` ask of one. */
import type { Fields, Gift, Outcome } from 'anyhook';

/** For the model, in order; each goes in as a hidden message. */
export const contextsIn = ({ said }: Outcome): readonly string[] =>
  said.flatMap(({ to, text }) => (to === 'model' ? [text] : []));

export const giftsIn = ({ given }: Outcome, what: Gift): readonly unknown[] =>
  given.flatMap((gift) => (gift.what === what ? [gift.value] : []));

/** Refused, asked, or neither, with the reasons as the model may read them. */
export const reasonOf = ({ reasons, flow, aborted }: Outcome): string => {
  if (aborted) return 'it was interrupted';
  const said = reasons.map(({ by, text }) => (text === '' ? by : text)).join('; ');
  return said || flow.halt || flow.cancel || 'no reason was given';
};

export const isRefused = ({ verdict, aborted }: Outcome): boolean => verdict === 'deny' || aborted;

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
export interface Told {
  readonly contexts: readonly string[];
  readonly halt?: string;
}
export const told = (outcome: Outcome): Told => ({
  contexts: contextsIn(outcome),
  ...(outcome.flow.halt !== undefined && { halt: outcome.flow.halt || 'a hook stopped the agent' }),
});
export const stopped = (outcome: Outcome): Told & { resume?: string } => ({
  ...told(outcome),
  ...(outcome.flow.resume !== undefined && { resume: outcome.flow.resume || 'A hook wants you to go on.' }),
});
export const cancelled = ({ flow }: Outcome): string | undefined =>
  flow.cancel === undefined ? undefined : flow.cancel || 'a hook cancelled it';
