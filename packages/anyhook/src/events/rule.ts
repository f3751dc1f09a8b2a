/** Rules over time: entries of `hooks.json` that judge a call by what happened earlier, without running a program. */

import type { Event } from './event.ts';
import type { Fit } from './hook.ts';

/** A duration as its author wrote it, such as `1h`. */
export interface Duration {
  readonly text: string;
  readonly ms: number;
}
const UNIT_MS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** Returns undefined if the value is not a duration such as `30m`. */
export function parseDurationMs(value: unknown): number | undefined {
  if (typeof value !== 'string') return undefined;
  const [, count, unit] = /^([1-9]\d{0,6})([smhd])$/.exec(value) ?? [];
  return unit === undefined ? undefined : Number(count) * UNIT_MS[unit as keyof typeof UNIT_MS];
}

/** The moment from which earlier calls count. */
export type Since = 'last edit' | 'last prompt';
export type Across = 'session' | 'project';

/** The call is refused unless an earlier one matches. */
export interface RequiresRule {
  readonly kind: 'requires';
  readonly earlier: string;
  readonly succeeded?: boolean;
  readonly since?: Since;
  readonly within?: Duration;
}
/** The call is refused after this many calls that match the same entry. */
export interface LimitRule {
  readonly kind: 'limit';
  readonly times: number;
  readonly per?: Duration;
  readonly since?: Since;
  readonly across: Across;
}
/** A figure of `Usage` that a rule limits. */
export type UsageAmount = 'tokens' | 'contextTokens' | 'costUsd';
/** The call is refused once the session has used this much. */
export interface UsageRule {
  readonly kind: 'usage';
  readonly amount: UsageAmount;
  readonly most: number;
}
/** The call is refused if an earlier one matches. */
export interface ForbidRule {
  readonly kind: 'forbid';
  readonly after: string;
  readonly since?: Since;
  readonly within?: Duration;
  readonly across: Across;
}
export type Rule = (RequiresRule | LimitRule | ForbidRule | UsageRule) & {
  /** What the rule answers. */
  readonly verdict: 'deny' | 'ask';
  readonly reason?: string;
};

/** Whether a call is one that the rule counts. */
export type CallTest = (call: Event) => Fit;

/**
 * What became of a call. `asked`: a question was raised, and nothing shows yet that the call ran. `ended`: it
 * ran, and its result does not show whether it succeeded.
 */
export type CallState = 'started' | 'asked' | 'refused' | 'ended' | 'succeeded' | 'failed';

const ACROSS: Readonly<Record<Across, string>> = { session: 'in this session', project: 'in this project' };

/** Explains a rule in one sentence without its subject, for `why` and `list`. */
export function ruleSentence(rule: Rule): string {
  const verb = rule.verdict === 'ask' ? 'asks' : 'refuses';
  switch (rule.kind) {
    case 'requires':
      return `${verb} unless ${rule.earlier} ${rule.succeeded === true ? 'succeeded' : 'ran'}${sinceText(rule)}${rule.within === undefined ? '' : ` within ${rule.within.text}`}`;
    case 'limit':
      if (rule.times === 0) return `${verb} every call`;
      return `${verb} after ${rule.times} ${rule.times === 1 ? 'call' : 'calls'}${rule.per === undefined ? '' : ` per ${rule.per.text}`} ${ACROSS[rule.across]}${sinceText(rule)}`;
    case 'usage':
      return `${verb} from ${amountText(rule.amount, rule.most)} ${rule.amount === 'contextTokens' ? 'in the context window' : 'in this session'}`;
    case 'forbid':
      return `${verb} after ${rule.after}${rule.within === undefined ? '' : ` within ${rule.within.text}`} ${ACROSS[rule.across]}${sinceText(rule)}`;
  }
}

/** Such as `2,000,000 tokens` or `$5`. */
export const amountText = (amount: UsageAmount, value: number): string =>
  amount === 'costUsd'
    ? `$${value < 100 ? Number(value.toFixed(2)) : Math.round(value)}`
    : `${value.toLocaleString('en-US')} tokens`;

const sinceText = ({ since }: { readonly since?: Since }): string =>
  since === undefined ? '' : ` since the ${since}`;
