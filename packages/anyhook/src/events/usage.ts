/** Tokens and cost of a session, as far as its agent states them. A figure that is not stated is absent. */

import { isFields } from './fields.ts';

/** Tokens of one or more model requests. */
export interface TokenCounts {
  /** Tokens that were sent to the model, including those that the provider had cached. */
  readonly inputTokens: number;
  /** How many of `inputTokens` the provider read from its cache. */
  readonly cachedTokens?: number;
  /** Tokens that the model wrote, including its reasoning. */
  readonly outputTokens: number;
}

/** All model requests of a session so far, including those of its subagents where they are stated. */
export interface SessionTotals extends TokenCounts {
  /** In US dollars, as the agent states it. Never computed from prices. */
  readonly costUsd?: number;
  /** The beginning of a long transcript is not read yet, so the totals are too low. */
  readonly isPartial?: true;
}

export interface Usage {
  readonly session?: SessionTotals;
  /** The last model request, subagents aside. */
  readonly last?: TokenCounts;
  /** Tokens in the context window after the last request. */
  readonly contextTokens?: number;
  /** Size of the context window in tokens. */
  readonly contextWindow?: number;
  /** Why figures are missing that this agent usually reveals. */
  readonly fault?: string;
}

export const USAGE_KEYS = ['session', 'last', 'contextTokens', 'contextWindow', 'fault'] as const;
const COUNT_KEYS = ['inputTokens', 'cachedTokens', 'outputTokens'] as const;
const TOTAL_KEYS = [...COUNT_KEYS, 'costUsd', 'isPartial'] as const;

/** A number of tokens or dollars. */
export const isAmount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0;

/** Returns what is wrong with a value that should be a `Usage`, starting with its key. */
export function usageFault(value: unknown): string | undefined {
  if (!isFields(value)) return 'is not an object';
  const unknown = Object.keys(value).find((key) => !USAGE_KEYS.some((one) => one === key));
  if (unknown !== undefined) return `has an unknown key "${unknown}"; known are ${USAGE_KEYS.join(', ')}`;
  const { session, last, contextTokens, contextWindow, fault } = value;
  for (const [key, amount] of Object.entries({ contextTokens, contextWindow }))
    if (amount !== undefined && !isAmount(amount)) return `${key} is not a number of tokens`;
  if (fault !== undefined && typeof fault !== 'string') return 'fault is not a string';
  return countsFault('session', session, TOTAL_KEYS) ?? countsFault('last', last, COUNT_KEYS);
}

function countsFault(name: string, value: unknown, keys: readonly string[]): string | undefined {
  if (value === undefined) return undefined;
  if (!isFields(value)) return `${name} is not an object`;
  const unknown = Object.keys(value).find((key) => !keys.includes(key));
  if (unknown !== undefined) return `${name} has an unknown key "${unknown}"; known are ${keys.join(', ')}`;
  for (const key of ['inputTokens', 'outputTokens'])
    if (!isAmount(value[key])) return `${name}.${key} is not a number of tokens`;
  const wrong = Object.entries(value).find(([key, amount]) => key !== 'isPartial' && !isAmount(amount));
  return wrong === undefined ? undefined : `${name}.${wrong[0]} is not a number`;
}

/** The sum of all tokens that were sent and written. */
export const tokensOf = ({ inputTokens, outputTokens }: TokenCounts): number => inputTokens + outputTokens;
