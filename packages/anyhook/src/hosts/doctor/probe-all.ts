/** The probe of every agent that has our bridge, or of the one that is named. One after the other: they are heavy. */
import { isAgentName } from '../../agents/index.ts';
import type { Agent } from '../../agents/shared/agent.ts';
import type { Measurement, StrangeAgent } from '../../agents/stranger.ts';
import { foldersOf } from '../../assembly/folders.ts';
import { strangerFile, strangerNamed, strangerText } from '../../assembly/strangers.ts';
import type { Progress } from '../console/progress.ts';
import { writeTarget } from '../install/write-target.ts';
import type { FoundAgent } from './look/find-agents.ts';
import type { Inspection } from './look/inspection.ts';
import { measure } from './measure.ts';
import { probe, type ProbeResult } from './probe.ts';
import type { StagedAgent } from './stage.ts';

type Looked = Pick<Inspection, 'agents' | 'known' | 'installed' | 'locations'>;

export async function probeAll(
  looked: Looked,
  only: string | undefined,
  progress: Progress,
): Promise<ProbeResult[]> {
  const isChosen = ({ name }: Agent): boolean =>
    only === undefined ? looked.installed.some(({ agent }) => agent.name === name) : name === only;
  const probed: ProbeResult[] = [];
  const chosen = looked.known.filter(isChosen);
  for (const [at, agent] of chosen.entries()) {
    progress.say(`Probing ${agent.shown}, which is started several times (${at + 1} of ${chosen.length})`);
    const found = looked.agents.find((one) => one.agent === agent.name);
    if (isAgentName(agent.name)) {
      if (found !== undefined) probed.push(await probe(stagedWith(agent, found.file)));
      else if (only !== undefined) probed.push(notFound(agent));
    } else probed.push(await probeStranger(looked, agent, found));
  }
  return probed;
}

/** What is measured of it is kept, and counts from the next event on; what it no longer obeys is forgotten. */
async function probeStranger(
  { locations }: Looked,
  agent: Agent,
  found: FoundAgent | undefined,
): Promise<ProbeResult> {
  const folders = foldersOf(locations);
  const told = strangerNamed(folders, agent.name)!; // by which the agent is known
  if (found === undefined && told.start === undefined) return notFound(agent);
  const { measured: _, ...stranger } = told;
  const staged: StagedAgent = {
    ...stagedWith(agent, found?.file ?? agent.program.name),
    ...(told.start !== undefined && { start: told.start }),
  };
  const result = await probe(staged);
  const keep = (one: StrangeAgent): void => {
    const file = strangerFile(folders, agent.name);
    writeTarget({ file, path: file }, strangerText(one), 0o600);
  };
  if (result.verdict === 'could-not-run') return result; // nothing new is known
  const cells = result.verdict === 'enforced' ? await measure(staged, stranger) : undefined;
  if (cells === undefined) {
    keep(stranger);
    return result.verdict === 'enforced'
      ? {
          ...result,
          verdict: 'could-not-run',
          why: 'a plain refusal holds; with other hooks it did not come to its end',
        }
      : result;
  }
  const measured: Measurement = {
    ...(found?.version !== undefined && { version: found.version }),
    on: new Date().toISOString().slice(0, 10),
    cells,
  };
  keep({ ...stranger, measured });
  return { ...result, measured: cells };
}

const stagedWith = (agent: Agent, file: string): StagedAgent => ({
  agent,
  program: [file],
  env: process.env,
});

const notFound = ({ name, shown }: Agent): ProbeResult => ({
  agent: name,
  verdict: 'could-not-run',
  routes: [],
  why: `${shown} was not found on this machine`,
});
