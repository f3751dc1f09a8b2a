/**
 * All effects that a hook can return, one line per kind. Merging folds them and never depends on the event
 * name.
 */

import type { MutableField, MutableKey, MutableValue } from './events.ts';
import type { Gift, GiftValue } from './gifts.ts';

export type { Gift } from './gifts.ts';

export type Fields = Readonly<Record<string, unknown>>;

export type Verdict = 'allow' | 'ask' | 'defer' | 'deny';

/** Ends, cancels, continues or repeats the flow that the event belongs to. */
export type FlowKind = 'halt' | 'cancel' | 'resume' | 'retry';

interface Why {
  readonly reason?: string;
}

interface Shapes {
  allow: Why;
  ask: Why;
  defer: Why;
  deny: Why;
  /** A difference from what the hook received. Without `to`, the key is removed. */
  set: { readonly at: readonly [field: string, key?: string]; readonly to?: unknown };
  /** Text for the model. */
  context: { readonly text: string };
  /** Text for the user. */
  notice: { readonly text: string };
  halt: Why;
  cancel: Why;
  resume: Why;
  retry: Why;
  give: { readonly what: Gift; readonly value: unknown };
}

export type EffectKind = keyof Shapes;
export type EffectOf<K extends EffectKind> = {
  [P in K]: { readonly kind: P } & Readonly<Shapes[P]>;
}[K];
export type Effect = EffectOf<EffectKind>;
export type Change = EffectOf<'set'>;

/** The compiler reports a missing kind. */
const KINDS: Record<EffectKind, true> = {
  allow: true,
  ask: true,
  defer: true,
  deny: true,
  set: true,
  context: true,
  notice: true,
  halt: true,
  cancel: true,
  resume: true,
  retry: true,
  give: true,
};
export const EFFECT_KINDS = Object.keys(KINDS) as readonly EffectKind[];

/** Strictness of a verdict. `none` is no vote and ranks between approval and question. */
export const STRICTNESS: Readonly<Record<Verdict | 'none', number>> = {
  allow: 0,
  none: 1,
  ask: 2,
  defer: 3,
  deny: 4,
};

/** Effects that make the outcome stricter. They count whatever the dialect's sharing rule is. */
export const REFUSALS: ReadonlySet<EffectKind> = new Set(['ask', 'defer', 'deny', 'halt', 'cancel']);

/** Returns true for effects that always count: refusals, and `resume`, which refuses a stop. */
export const tightens = ({ kind }: Effect): boolean => REFUSALS.has(kind) || kind === 'resume';

const because = <K extends Verdict | FlowKind>(kind: K, reason?: string) =>
  (reason === undefined ? { kind } : { kind, reason }) as { readonly kind: K; readonly reason?: string };

export const allow = (reason?: string) => because('allow', reason);
export const ask = (reason?: string) => because('ask', reason);
export const defer = (reason?: string) => because('defer', reason);
export const deny = (reason?: string) => because('deny', reason);
export const halt = (reason?: string) => because('halt', reason);
export const cancel = (reason?: string) => because('cancel', reason);
export const resume = (reason?: string) => because('resume', reason);
export const retry = (reason?: string) => because('retry', reason);
export const context = (text: string): EffectOf<'context'> => ({ kind: 'context', text });
export const notice = (text: string): EffectOf<'notice'> => ({ kind: 'notice', text });
export const give = <const G extends Gift>(what: G, value: GiftValue<G>) =>
  ({ kind: 'give', what, value }) as const;

/**
 * `set('input', 'command', 'ls')` changes one key; `set('input', { … })` replaces the field. This function
 * only checks that some event has such a field. The return type of the hook's `run` checks that its own event
 * does.
 */
export function set<const F extends MutableField, T extends MutableValue<F>>(
  field: F,
  to: T,
): { readonly kind: 'set'; readonly at: readonly [field: F]; readonly to: T };
export function set<const F extends MutableField, T extends MutableKey<F>>(
  field: F,
  key: string,
  to: T,
): { readonly kind: 'set'; readonly at: readonly [field: F, key: string]; readonly to: T };
export function set(...args: [string, unknown] | [string, string, unknown]): Change {
  return args.length === 2
    ? { kind: 'set', at: [args[0]], to: args[1] }
    : { kind: 'set', at: [args[0], args[1]], to: args[2] };
}
