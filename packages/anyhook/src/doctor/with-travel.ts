/** For each agent that has our bridge: which way its events go, and what one costs. */
import type { Inspection } from './look/inspection.ts';
import { insideTravel } from './look/inside-travel.ts';
import { type EventTravel, eventTravel } from './look/travel.ts';
import type { HostSheet } from './where-it-runs.ts';

export async function withTravel(
  hosts: readonly HostSheet[],
  { known, locations }: Inspection,
): Promise<readonly HostSheet[]> {
  const bridged = hosts.filter(({ bridge }) => bridge.length > 0);
  const agents = known.filter(({ name }) => bridged.some(({ agent }) => agent === name));
  // All that start a command start the same one; each that loads us is a host of its own.
  const launched = agents.some(({ inside }) => inside === null) ? await eventTravel(locations) : undefined;
  const travels = new Map<string, EventTravel | undefined>();
  for (const agent of agents)
    travels.set(agent.name, agent.inside === null ? launched : await insideTravel(agent));
  return hosts.map((host) => {
    const travel = host.bridge.length > 0 && host.agent !== undefined ? travels.get(host.agent) : undefined;
    return travel === undefined ? host : { ...host, travel };
  });
}
