/** `anyhook doctor`: agents, what would run where, what is wrong; with `--probe`, whether a refusal holds. */

import { agentNamed } from '../console/agent-named.ts';
import { print, printJson, screenFor } from '../console/print.ts';
import { withProgress } from '../console/progress.ts';
import { checkFolder, UsageError } from '../console/usage.ts';
import { lint } from './lints.ts';
import type { DoctorFinding } from './look/finding.ts';
import { insideTravel } from './look/inside-travel.ts';
import { inspect, type Inspection } from './look/inspection.ts';
import { type EventTravel, eventTravel } from './look/travel.ts';
import { whereItRuns, type HostSheet } from './look/where-it-runs.ts';
import { probeAll } from './probe-all.ts';
import { findingLines, hostLines, probeLines } from './show.ts';

export interface DoctorOptions {
  readonly cwd?: string;
  readonly json?: boolean;
  readonly probe?: boolean;
}

/** Exits with 1 if there are findings. Notes do not count. */
export async function doctor(agent: string | undefined, options: DoctorOptions): Promise<number> {
  if (agent !== undefined && options.probe !== true)
    throw new UsageError('doctor: an agent is named for --probe only');
  const only = agent === undefined ? undefined : agentNamed('doctor', agent).name;
  checkFolder('doctor', options.cwd);
  const { looked, hosts, findings, probed } = await withProgress('Looking for agents', async (progress) => {
    const looked = await inspect(options.cwd === undefined ? {} : { cwd: options.cwd });
    const hosts = await withTravel(whereItRuns(looked), looked);
    const probed = options.probe === true ? await probeAll(looked, only, progress) : [];
    return { looked, hosts, findings: lint(looked), probed };
  });
  if (options.json === true) printJson({ hosts, findings, ...(options.probe === true && { probe: probed }) });
  else {
    const screen = screenFor(options.cwd);
    print([...hostLines(hosts, looked.known, screen), '', ...findingLines(findings, screen)]);
    if (options.probe === true) print(['', ...probeLines(probed, looked.known, screen)]);
  }
  return isFound(findings) || probed.some(({ verdict }) => verdict !== 'enforced') ? 1 : 0;
}

const isFound = (findings: readonly DoctorFinding[]): boolean =>
  findings.some(({ severity }) => severity !== 'note');

/** Adds for each agent with our bridge how its events reach us, and what one costs. */
export async function withTravel(
  hosts: readonly HostSheet[],
  { known, locations }: Inspection,
): Promise<readonly HostSheet[]> {
  const bridged = hosts.filter(({ bridge }) => bridge.length > 0);
  const agents = known.filter(({ name }) => bridged.some(({ agent }) => agent === name));
  // Agents that start a command all start the same one. Each agent that loads a module is a host of its own.
  const launched = agents.some(({ inside }) => inside === null) ? await eventTravel(locations) : undefined;
  const travels = new Map<string, EventTravel | undefined>();
  for (const agent of agents)
    travels.set(agent.name, agent.inside === null ? launched : await insideTravel(agent));
  return hosts.map((host) => {
    const travel = host.bridge.length > 0 && host.agent !== undefined ? travels.get(host.agent) : undefined;
    return travel === undefined ? host : { ...host, travel };
  });
}
