/** `anyhook doctor`: agents, what would run where, what is wrong; with `--probe`, whether a refusal holds. */
import { type AgentName, AGENTS } from '../../agents/index.ts';
import type { Locations } from '../../canon/dialect.ts';
import { agentNamed } from '../console/agent-named.ts';
import { checkFolder, UsageError } from '../console/usage.ts';
import { print, printJson, screenFor } from '../console/print.ts';
import type { DoctorFinding } from './look/finding.ts';
import { lint } from './lints.ts';
import { inspect } from './look/inspection.ts';
import { eventTravel } from './look/travel.ts';
import { type ProbeResult, probe } from './probe.ts';
import { findingLines, hostLines, probeLines } from './show.ts';
import { type HostSheet, whereItRuns } from './where-it-runs.ts';

export interface DoctorOptions {
  readonly cwd?: string;
  readonly json?: boolean;
  readonly probe?: boolean;
}

/** Exit 1 when something was found; notes do not count. */
export async function doctor(agent: string | undefined, options: DoctorOptions): Promise<number> {
  if (agent !== undefined && options.probe !== true)
    throw new UsageError('doctor: an agent is named for --probe only');
  const only = agent === undefined ? undefined : agentNamed('doctor', agent);
  checkFolder('doctor', options.cwd);
  const looked = await inspect(options.cwd === undefined ? {} : { cwd: options.cwd });
  const hosts = await withTravel(whereItRuns(looked), looked.locations);
  const findings = lint(looked);
  const probed = options.probe === true ? await probeAll(hosts, only) : [];
  if (options.json === true) printJson({ hosts, findings, ...(options.probe === true && { probe: probed }) });
  else {
    const screen = screenFor(options.cwd);
    print([...hostLines(hosts, screen), '', ...findingLines(findings, screen)]);
    if (options.probe === true) print(['', ...probeLines(probed, screen)]);
  }
  return isFound(findings) || probed.some(({ verdict }) => verdict !== 'enforced') ? 1 : 0;
}

async function withTravel(hosts: readonly HostSheet[], locations: Locations): Promise<readonly HostSheet[]> {
  const isLaunched = ({ agent, bridge }: HostSheet): boolean =>
    agent !== undefined && AGENTS[agent].inside === null && bridge.length > 0;
  if (!hosts.some(isLaunched)) return hosts;
  const travel = await eventTravel(locations);
  return hosts.map((host) => (isLaunched(host) ? { ...host, travel } : host));
}

const isFound = (findings: readonly DoctorFinding[]): boolean =>
  findings.some(({ severity }) => severity !== 'note');

/** Every agent that has our bridge; one that is named, in any case. One after the other: they are heavy. */
async function probeAll(hosts: readonly HostSheet[], only: AgentName | undefined): Promise<ProbeResult[]> {
  const chosen = hosts.filter(({ agent, bridge }) =>
    only === undefined ? bridge.length > 0 : agent === only,
  );
  if (only !== undefined && chosen.length === 0)
    return [
      {
        agent: only,
        verdict: 'could-not-run',
        routes: [],
        why: `${AGENTS[only].shown} was not found on this machine`,
      },
    ];
  const probed: ProbeResult[] = [];
  for (const { agent, file } of chosen)
    if (agent !== undefined) probed.push(await probe({ agent, program: [file], env: process.env }));
  return probed;
}
