/** The records of all agents, by name. */

import { type AgentName, type DialectName, RECORDS } from './list.ts';
import type { Agent } from './shared/agent.ts';

export type { AgentName } from './list.ts';
/** Each record under its own name. */
export const AGENTS = Object.fromEntries(RECORDS.map((record) => [record.name, record])) as {
  readonly [Name in AgentName]: Agent<Name, DialectName>;
};
export const AGENT_NAMES = Object.keys(AGENTS) as readonly AgentName[];
export const isAgentName = (name: string): name is AgentName => Object.hasOwn(AGENTS, name);
/** Undefined: unknown agent. */
export const agentOf = (name: string): Agent<AgentName, DialectName> | undefined =>
  isAgentName(name) ? AGENTS[name] : undefined;
