import type { Bridge } from './bridge.ts';
import type { AgentName } from './capabilities.ts';
import { COMMAND_AGENTS } from './command-agents.ts';
import { MODULE_AGENTS } from './module-agents.ts';

/** One line per agent: complete by construction. */
export const BRIDGES: Readonly<Record<AgentName, Bridge>> = { ...COMMAND_AGENTS, ...MODULE_AGENTS };
