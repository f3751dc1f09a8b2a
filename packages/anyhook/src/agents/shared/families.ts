/**
 * Defaults for the records of a family of agents. A record spreads its family first and then adds its own values. Fields that
 * guard something (`marks`, `guarded`, `unhookedBy`, `failure`, `projectHooks`) have no default.
 */

import type { Agent } from './agent.ts';

type Usual =
  | 'handlerLimitMs'
  | 'unseen'
  | 'nextSteps'
  | 'notes'
  | 'neverFires'
  | 'sessionVariable'
  | 'versionField'
  | 'managed'
  | 'trust';

/** An agent that loads us into its own process. */
export const MODULE_AGENT = {
  unseen: {},
  nextSteps: [],
  notes: [],
  neverFires: null,
  sessionVariable: null,
  versionField: null,
  managed: null,
  trust: null,
  handlerLimitMs: null,
} as const satisfies Pick<Agent, Usual>;

/** An agent that starts a command for each event. */
export const COMMAND_AGENT = { ...MODULE_AGENT, inside: null } as const satisfies Pick<
  Agent,
  Usual | 'inside'
>;
