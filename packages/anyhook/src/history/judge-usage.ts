/** Compares the usage of a session with the limit of a rule. */

import type { UsageAmount, UsageRule } from '../events/rule.ts';
import { tokensOf, type Usage } from '../events/usage.ts';
import { HistoryFault } from './history.ts';

/** Returns the amount that was used if it reaches the limit. Throws a `HistoryFault` if it is not known. */
export function usedUp({ amount, most }: UsageRule, usage: Usage | undefined): number | undefined {
  if (usage === undefined) throw new HistoryFault('this agent does not reveal its usage');
  const used = usedOf(amount, usage);
  if (used !== undefined && used >= most) return used;
  const { fault, session } = usage;
  if (fault !== undefined) throw new HistoryFault(fault);
  if (amount !== 'contextTokens' && session?.isPartial === true)
    throw new HistoryFault('the transcript of this session is still being read. Try again in a few seconds');
  // Without any figure, no request has been reported yet.
  if (used === undefined && (session ?? usage.last) !== undefined)
    throw new HistoryFault(`this agent does not state ${STATED[amount]} while a session runs`);
  return undefined;
}

const STATED: Readonly<Record<UsageAmount, string>> = {
  tokens: 'the tokens of its session',
  contextTokens: 'the tokens in its context window',
  costUsd: 'its costs',
};

function usedOf(amount: UsageAmount, { session, contextTokens }: Usage): number | undefined {
  switch (amount) {
    case 'tokens':
      return session && tokensOf(session);
    case 'contextTokens':
      return contextTokens;
    case 'costUsd':
      return session?.costUsd;
  }
}
