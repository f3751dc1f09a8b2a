/** Adds up statements about usage. A tally is plain data, so that it can be stored and continued. */

import {
  isAmount,
  type SessionTotals,
  type TokenCounts,
  tokensOf,
  type Usage,
} from '../../../events/usage.ts';
import type { UsageStatement } from './source.ts';

interface CountedRequest {
  readonly id: string;
  readonly counts: TokenCounts;
  readonly costUsd?: number;
}
export interface UsageTally extends Pick<Usage, 'session' | 'last' | 'contextTokens' | 'contextWindow'> {
  /** The last requests with an id, because some agents state a request several times. */
  readonly recent?: readonly CountedRequest[];
}

export const EMPTY_TALLY: UsageTally = {};
const MOST_RECENT = 8;

export function addStatement(tally: UsageTally, statement: UsageStatement): UsageTally {
  const { counts, total, totalCostUsd, contextWindow, request, costUsd, isSubagent } = statement;
  const before = request === undefined ? undefined : tally.recent?.find(({ id }) => id === request);
  let session = tally.session;
  if (counts !== undefined) {
    session = added(session, counts, 1, costUsd);
    if (before !== undefined) session = added(session, before.counts, -1, before.costUsd);
  }
  if (total !== undefined) session = { ...session, ...total };
  if (totalCostUsd !== undefined) session = { ...(session ?? NO_TOKENS), costUsd: totalCostUsd };
  const isMain = counts !== undefined && isSubagent !== true;
  const contextTokens = statement.contextTokens ?? (isMain ? tokensOf(counts) : undefined);
  return {
    ...tally,
    ...(session !== undefined && { session }),
    ...(isMain && { last: counts }),
    ...(contextTokens !== undefined && { contextTokens }),
    ...(contextWindow !== undefined && { contextWindow }),
    ...(request !== undefined &&
      counts !== undefined && {
        recent: [
          ...(tally.recent ?? []).filter(({ id }) => id !== request).slice(1 - MOST_RECENT),
          { id: request, counts, ...(costUsd !== undefined && { costUsd }) },
        ],
      }),
  };
}

const NO_TOKENS: SessionTotals = { inputTokens: 0, outputTokens: 0 };

/** `sign` is -1 to take a request out again. */
function added(
  sum: SessionTotals | undefined,
  counts: TokenCounts,
  sign: 1 | -1,
  costUsd: number | undefined,
): SessionTotals {
  const before = sum ?? NO_TOKENS;
  const cached = plus(before.cachedTokens, counts.cachedTokens, sign);
  const cost = plus(before.costUsd, costUsd, sign);
  return {
    ...before,
    inputTokens: before.inputTokens + sign * counts.inputTokens,
    ...(cached !== undefined && { cachedTokens: cached }),
    outputTokens: before.outputTokens + sign * counts.outputTokens,
    ...(cost !== undefined && { costUsd: cost }),
  };
}
const plus = (sum: number | undefined, amount: number | undefined, sign: 1 | -1): number | undefined =>
  amount === undefined ? sum : (sum ?? 0) + sign * amount;

/** The totals of several transcripts. */
export const addTotals = (sum: SessionTotals | undefined, more: SessionTotals): SessionTotals => ({
  ...added(sum, more, 1, more.costUsd),
  ...((sum?.isPartial ?? more.isPartial) === true && { isPartial: true as const }),
});

/** Figures of a session never fall, even if its transcript was replaced by a shorter one. */
export function highest(
  a: SessionTotals | undefined,
  b: SessionTotals | undefined,
): SessionTotals | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  const [cached, cost] = [most(a.cachedTokens, b.cachedTokens), most(a.costUsd, b.costUsd)];
  return {
    inputTokens: Math.max(a.inputTokens, b.inputTokens),
    ...(cached !== undefined && { cachedTokens: cached }),
    outputTokens: Math.max(a.outputTokens, b.outputTokens),
    ...(cost !== undefined && { costUsd: cost }),
  };
}
const most = (a: number | undefined, b: number | undefined): number | undefined =>
  a === undefined || b === undefined ? (a ?? b) : Math.max(a, b);

/** Returns undefined unless both figures are numbers. `cached` is ignored if it is not one. */
export function countsOf(input: unknown, output: unknown, cached: unknown): TokenCounts | undefined {
  if (!isAmount(input) || !isAmount(output)) return undefined;
  return { inputTokens: input, ...(isAmount(cached) && { cachedTokens: cached }), outputTokens: output };
}

/** For agents that state tokens read from and written to the cache beside the other input. */
export const countsBeside = (
  input: unknown,
  output: unknown,
  { read, written }: { readonly read: unknown; readonly written: unknown },
): TokenCounts | undefined =>
  isAmount(input)
    ? countsOf(input + (isAmount(read) ? read : 0) + (isAmount(written) ? written : 0), output, read)
    : undefined;
