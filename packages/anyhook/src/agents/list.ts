/** The one list of agents: a new agent is a folder, and its line here. */

import * as anyhook from './anyhook/index.ts';
import * as claudeAgentSdk from './claude-agent-sdk/index.ts';
import * as claudeCode from './claude-code/index.ts';
import * as codex from './codex/index.ts';
import * as copilotCli from './copilot-cli/index.ts';
import * as cursor from './cursor/index.ts';
import * as geminiCli from './gemini-cli/index.ts';
import * as goose from './goose/index.ts';
import * as grokBuild from './grok-build/index.ts';
import * as kimiCode from './kimi-code/index.ts';
import * as ohMyPi from './oh-my-pi/index.ts';
import * as opencode from './opencode/index.ts';
import * as opta from './opta/index.ts';
import * as pi from './pi/index.ts';
import * as qwenCode from './qwen-code/index.ts';
import type { Agent } from './shared/agent.ts';

/** In the order in which tables and lists show them. Some have a dialect only, and others share one. */
export const AGENT_FOLDERS = [
  claudeCode,
  claudeAgentSdk,
  codex,
  geminiCli,
  goose,
  qwenCode,
  kimiCode,
  copilotCli,
  grokBuild,
  cursor,
  opencode,
  pi,
  ohMyPi,
  opta,
  anyhook,
] as const;

type Folder = (typeof AGENT_FOLDERS)[number];
type WithRecord = Extract<Folder, { readonly record: unknown }>;
export type DialectName = Extract<Folder, { readonly dialect: unknown }>['dialect']['name'];
export type AgentName = WithRecord['record']['name'];

export const DIALECT_NAMES: readonly DialectName[] = AGENT_FOLDERS.flatMap((folder) =>
  'dialect' in folder ? folder.dialect.name : [],
);
/** Each names a dialect of this list. */
export const RECORDS: readonly Agent<AgentName, DialectName>[] = AGENT_FOLDERS.flatMap((folder) =>
  'record' in folder ? folder.record : [],
);
