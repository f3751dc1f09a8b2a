import type { Agent } from '../agents/shared/agent.ts';
import { foldersOf, locationsOf } from '../gather/folders.ts';
import { knownAgents } from '../gather/known-agents.ts';
import { nearOrAll, UsageError } from './usage.ts';

/** Finds an agent by our name, its program, its package or its display name. */
export function agentNamed(command: string, name: string): Agent {
  const known = knownAgents(foldersOf(locationsOf({})));
  const found =
    known.find((agent) => agent.name === name) ??
    known.find(({ shown, program }) =>
      [shown, program.name, program.npm ?? shown].some((word) => plain(word) === plain(name)),
    );
  if (found !== undefined) return found;
  const names = known.map((agent) => agent.name);
  throw new UsageError(`${command}: unknown agent ${JSON.stringify(name)}; ${nearOrAll(name, names)}`);
}

/** `Claude Code`, `claude_code` and `CLAUDE-CODE` are one name. */
const plain = (name: string): string => name.toLowerCase().replaceAll(/[\s_-]+/g, '');
