import { AGENT_NAMES, type AgentName, AGENTS, isAgentName } from '../../agents/index.ts';
import { nearOrAll, UsageError } from './usage.ts';

/** By our name for it, or by any that its record has: its program, its package, what people call it. */
export function agentNamed(command: string, name: string): AgentName {
  if (isAgentName(name)) return name;
  const known = Object.values(AGENTS).find(({ shown, program }) =>
    [shown, program.name, program.npm ?? shown].some((word) => plain(word) === plain(name)),
  );
  if (known !== undefined) return known.name;
  throw new UsageError(
    `${command}: no agent is called ${JSON.stringify(name)}; ${nearOrAll(name, AGENT_NAMES)}`,
  );
}

/** `Claude Code`, `claude_code` and `CLAUDE-CODE` are one name. */
const plain = (name: string): string => name.toLowerCase().replaceAll(/[\s_-]+/g, '');
