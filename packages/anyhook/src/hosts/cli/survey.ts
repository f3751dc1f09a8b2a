/** The hooks of a project as the commands look at them: nothing of it runs, nothing is recorded. */
import { type Capabilities, EVERYTHING } from '../../canon/capabilities.ts';
import { AGENT_NAMES, agentOf } from '../../agents/index.ts';
import { UsageError } from '../console/usage.ts';
import { createHooks } from '../library/create-hooks.ts';
import type { Hooks } from '../library/hooks.ts';

interface Asker {
  readonly hashes?: readonly string[];
  readonly folders?: readonly string[];
  /** As this agent would ask them; otherwise as a host that has every moment. */
  readonly agent?: string;
}

export const survey = (
  cwd: string | undefined,
  { hashes = [], folders, agent }: Asker = {},
): Promise<Hooks> =>
  createHooks({
    host: { name: agent ?? 'anyhook', can: canOfHost(agent), mode: 'one-shot' },
    journal: false,
    trust: { hashes, ...(folders && { folders }) },
    ...(cwd !== undefined && { cwd }),
  });

/** What that agent can do. Throws for one that nobody knows. */
export function canOfHost(agent: string | undefined): Capabilities {
  if (agent === undefined) return EVERYTHING;
  const known = agentOf(agent);
  if (known === undefined)
    throw new UsageError(`no agent is called ${JSON.stringify(agent)}; known are ${AGENT_NAMES.join(', ')}`);
  return known.can;
}
