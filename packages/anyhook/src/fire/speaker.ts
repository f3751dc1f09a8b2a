/**
 * Finds out which agent an event belongs to. An agent may run hooks from another agent's settings, including our bridge, so an
 * event can arrive through two bridges or the wrong one.
 */

import { AGENTS, agentOf } from '../agents/index.ts';
import type { Agent } from '../agents/shared/agent.ts';
import { bridgedBy } from '../agents/shared/client-command.ts';
import type { Locations } from '../events/dialect.ts';
import { readSettingsFile } from '../settings/read-file.ts';

type Env = Readonly<Record<string, string | undefined>>;

/**
 * The agent that names this session in the environment, if it is not the agent of the bridge. A variable alone proves nothing,
 * because child processes inherit it.
 */
export function speakerOf(host: string, session: string, env: Env): Agent | undefined {
  const bridged = agentOf(host);
  if (bridged === undefined || session === '') return undefined;
  return Object.values(AGENTS).find(
    ({ name, sessionVariable, ownHooks }) =>
      name !== host &&
      sessionVariable !== null &&
      env[sessionVariable] === session &&
      ownHooks.some((own) => own.split('@')[0] === bridged.dialect),
  );
}

/** Whether the agent has a bridge of its own. A bridge in project settings does not count: the agent may ignore it. */
export function isBridged({ name, bridge }: Agent, { home, cwd, env }: Locations): boolean {
  const { file } = bridge({ scope: 'user', home, cwd, env }).at(-1)!; // the entry that starts us
  const read = readSettingsFile(file);
  return read.kind === 'text' && bridgedBy(read.text) === name;
}
