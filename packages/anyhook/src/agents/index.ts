/** The only file that imports every agent record. A new agent is a folder and one line here. */
import { claudeCodeAgent } from './claude-code/record.ts';
import { codexAgent } from './codex/record.ts';
import { copilotCliAgent } from './copilot-cli/record.ts';
import { cursorAgent } from './cursor/record.ts';
import { geminiCliAgent } from './gemini-cli/record.ts';
import { gooseAgent } from './goose/record.ts';
import { grokBuildAgent } from './grok-build/record.ts';
import { kimiCodeAgent } from './kimi-code/record.ts';
import { ohMyPiAgent } from './oh-my-pi/record.ts';
import { opencodeAgent } from './opencode/record.ts';
import { piAgent } from './pi/record.ts';
import { qwenCodeAgent } from './qwen-code/record.ts';
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
/** Each record under its own name. */
export const AGENTS: { readonly [Name in AgentName]: Agent<Name> } = RECORDS;
export const AGENT_NAMES = Object.keys(AGENTS) as readonly AgentName[];
export const isAgentName = (name: string): name is AgentName => Object.hasOwn(AGENTS, name);
/** Undefined: unknown agent. */
export const agentOf = (name: string): Agent<AgentName> | undefined =>
  isAgentName(name) ? AGENTS[name] : undefined;
