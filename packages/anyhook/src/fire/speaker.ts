/**
 * Whose event it is. An agent may start what stands in the settings of another, and with it our bridge there: its events come
 * in by two bridges, or by the wrong one.
 */
import { AGENTS, agentOf } from '../agents/index.ts';
import { bridgedBy } from '../agents/shared/client-command.ts';
import type { Agent } from '../agents/shared/agent.ts';
import type { Locations } from '../events/dialect.ts';
import { readSettingsFile } from '../settings/read-file.ts';

type Env = Readonly<Record<string, string | undefined>>;

/**
 * The agent that names this session as its own in the environment, where that is not the one whose bridge was started. A mark
 * alone would not do: what an agent starts, another agent too, inherits it.
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

/** Whether it asks us by a bridge of its own. A project's does not count: the agent may pass over it. */
export function isBridged({ name, bridge }: Agent, { home, cwd, env }: Locations): boolean {
  const { file } = bridge({ scope: 'user', home, cwd, env }).at(-1)!; // the one that starts us
  const read = readSettingsFile(file);
  return read.kind === 'text' && bridgedBy(read.text) === name;
}
