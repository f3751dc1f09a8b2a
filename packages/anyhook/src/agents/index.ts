/** The one file that names every agent: a new one is a folder and its line here. */
import { claudeCodeAgent } from './claude-code/index.ts';
import { codexAgent } from './codex/index.ts';
import { copilotCliAgent } from './copilot-cli/index.ts';
import { cursorAgent } from './cursor/index.ts';
import { geminiCliAgent } from './gemini-cli/index.ts';
import { gooseAgent } from './goose/index.ts';
import { grokBuildAgent } from './grok-build/index.ts';
import { kimiCodeAgent } from './kimi-code/index.ts';
import { ohMyPiAgent } from './oh-my-pi/index.ts';
import { opencodeAgent } from './opencode/index.ts';
import { piAgent } from './pi/index.ts';
import { qwenCodeAgent } from './qwen-code/index.ts';
import type { Agent } from './shared/agent.ts';

const RECORDS = {
  'claude-code': claudeCodeAgent,
  codex: codexAgent,
  'gemini-cli': geminiCliAgent,
  goose: gooseAgent,
  'qwen-code': qwenCodeAgent,
  'kimi-code': kimiCodeAgent,
  'copilot-cli': copilotCliAgent,
  'grok-build': grokBuildAgent,
  cursor: cursorAgent,
  opencode: opencodeAgent,
  pi: piAgent,
  'oh-my-pi': ohMyPiAgent,
} as const;

export type AgentName = keyof typeof RECORDS;
/** Each under its own name. */
export const AGENTS: { readonly [Name in AgentName]: Agent<Name> } = RECORDS;
export const AGENT_NAMES = Object.keys(AGENTS) as readonly AgentName[];
export const isAgentName = (name: string): name is AgentName => Object.hasOwn(AGENTS, name);
/** Undefined: an agent that was never seen. */
export const agentOf = (name: string): Agent<AgentName> | undefined =>
  isAgentName(name) ? AGENTS[name] : undefined;
