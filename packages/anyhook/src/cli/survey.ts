/** Reads the hooks of a project for commands. Runs and records nothing. */

import { agentNamed } from '../console/agent-named.ts';
import { type Capabilities, EVERYTHING } from '../events/capabilities.ts';
import { createHooks } from '../library/create-hooks.ts';
import type { Hooks } from '../library/hooks.ts';

interface Asker {
  readonly hashes?: readonly string[];
  readonly folders?: readonly string[];
  /** The agent whose view to take; by default a host that has every event. */
  readonly agent?: string;
}

export const survey = (
  cwd: string | undefined,
  { hashes = [], folders, agent }: Asker = {},
): Promise<Hooks> =>
  createHooks({
    host: {
      name: agent === undefined ? 'anyhook' : agentNamed('--host', agent).name,
      can: canOfHost(agent),
    },
    journal: false,
    trust: { hashes, ...(folders && { folders }) },
    ...(cwd !== undefined && { cwd }),
  });

/** What that agent can do. Throws for an unknown agent. */
export const canOfHost = (agent: string | undefined): Capabilities =>
  agent === undefined ? EVERYTHING : agentNamed('--host', agent).can;
