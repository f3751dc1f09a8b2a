/** The one file that names every agent: a new one is a folder and its line here. */
import { claudeCode } from './claude-code/index.ts';
import { codex } from './codex/index.ts';
import { geminiCli } from './gemini-cli/index.ts';
import { goose } from './goose/index.ts';
import { ohMyPi } from './oh-my-pi/index.ts';
import { opencode } from './opencode/index.ts';
import { pi } from './pi/index.ts';
import type { Agent } from './shared/agent.ts';

const RECORDS = {
  'claude-code': claudeCode,
  codex,
  'gemini-cli': geminiCli,
  goose,
  opencode,
  pi,
  'oh-my-pi': ohMyPi,
} as const;

export type AgentName = keyof typeof RECORDS;
/** Each under its own name. */
export const AGENTS: { readonly [Name in AgentName]: Agent<Name> } = RECORDS;
export const AGENT_NAMES = Object.keys(AGENTS) as readonly AgentName[];
export const isAgentName = (name: string): name is AgentName => Object.hasOwn(AGENTS, name);
/** Undefined: an agent that was never seen. */
export const agentOf = (name: string): Agent<AgentName> | undefined =>
  isAgentName(name) ? AGENTS[name] : undefined;
