/** Computes what hooks in shadow would have decided if they were enforced. */

import { type Effect, REFUSALS, STRICTNESS } from './effects.ts';
import type { IgnoredEffect, Ruling } from './outcome.ts';

/** Marks an effect in a record that was not enforced because its hook runs in shadow. */
export const SHADOW = 'shadow';

export interface WouldHave {
  readonly verdict: 'ask' | 'defer' | 'deny';
  readonly reasons: readonly { readonly by: string; readonly text: string }[];
}
interface Answerer {
  readonly hook: string;
  readonly ignored?: readonly IgnoredEffect[] | undefined;
}

/** Considers only refusals. Returns undefined if there are none. */
export function wouldHave(runs: readonly Answerer[]): WouldHave | undefined {
  const held = runs.flatMap(({ hook, ignored = [] }) =>
    ignored
      .filter(({ effect, why }) => why === SHADOW && REFUSALS.has(effect.kind))
      .map(({ effect }) => ({ by: hook, verdict: refusalOf(effect), text: reasonOf(effect) })),
  );
  if (held.length === 0) return undefined;
  const verdict = held.reduce((so, one) => (STRICTNESS[one.verdict] > STRICTNESS[so.verdict] ? one : so));
  return {
    verdict: verdict.verdict,
    reasons: held
      .filter((one) => one.verdict === verdict.verdict)
      .filter(({ by, text }, at, all) => all.findIndex((one) => one.by === by && one.text === text) === at)
      .map(({ by, text }) => ({ by, text })),
  };
}

/** Returns true if it would have changed the actual decision. */
export const isStricter = ({ verdict }: WouldHave, than: Ruling['verdict']): boolean =>
  STRICTNESS[verdict] > STRICTNESS[than];

/** Treats halt and cancel as refusals. */
const refusalOf = ({ kind }: Effect): WouldHave['verdict'] =>
  kind === 'ask' || kind === 'defer' ? kind : 'deny';
const reasonOf = (effect: Effect): string => ('reason' in effect ? (effect.reason ?? '') : '');
