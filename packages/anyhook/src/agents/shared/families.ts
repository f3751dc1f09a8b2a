/**
 * What is alike in the records of one family of agents. A record spreads its family first and then says what is its own.
 * Facts that guard something (`marks`, `guarded`, `unhookedBy`, `failure`, `projectHooks`) have no default: each record answers them.
 */
import type { Agent } from './agent.ts';

type Usual = 'unseen' | 'notes' | 'neverFires' | 'sessionVariable' | 'managed' | 'trust';

/** An agent that loads us into its own process. */
export const MODULE_AGENT = {
  unseen: {},
  notes: [],
  neverFires: null,
  sessionVariable: null,
  managed: null,
  trust: null,
} as const satisfies Pick<Agent, Usual>;

/** An agent that starts a command for each event. */
export const COMMAND_AGENT = { ...MODULE_AGENT, inside: null } as const satisfies Pick<
  Agent,
  Usual | 'inside'
>;
