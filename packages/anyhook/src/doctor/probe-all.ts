/** Probes every agent with our bridge, or the named one, one after the other because they are heavy. */

import type { Measurement, CustomAgent } from '../agents/custom-agent.ts';
import { AGENTS, isAgentName } from '../agents/index.ts';
import type { Agent } from '../agents/shared/agent.ts';
import type { Progress } from '../console/progress.ts';
import { foldersOf } from '../gather/folders.ts';
import { customAgentFile, customAgentNamed, customAgentText } from '../gather/known-agents.ts';
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
    const found = looked.agents.find((other) => other.agent === agent.name);
    if (isAgentName(agent.name)) {
      if (found !== undefined) probed.push(await probe(stagedWith(agent, found.file)));
      else if (only !== undefined) probed.push(notFound(agent));
    } else probed.push(await probeCustomAgent(looked, agent, found));
  }
  return probed;
}

/** Stores the measurements, which apply from the next event. Forgets what the agent no longer obeys. */
async function probeCustomAgent(
  { locations }: Looked,
  agent: Agent,
  found: FoundAgent | undefined,
): Promise<ProbeResult> {
  const folders = foldersOf(locations);
  const knownCustomAgent = customAgentNamed(folders, agent.name)!; // by which the agent is known
  if (found === undefined && knownCustomAgent.start === undefined) return notFound(agent);
  const { measured: _, ...customAgent } = knownCustomAgent;
  const line = knownCustomAgent.start ?? `${agent.program.name} ${await argsLike(agent)}`;
  const hint = `. It was started by: ${line} To start it another way: ${installLine(knownCustomAgent)}`;
  const staged: StagedAgent = {
    ...stagedWith(agent, found?.file ?? agent.program.name),
    ...(knownCustomAgent.start === undefined ? {} : { start: knownCustomAgent.start }),
    isCustomAgent: true,
    hint,
    timeoutMs: CUSTOM_AGENT_MS,
  };
  process.stderr.write(
    `Probing ${agent.shown}: up to six runs of \`${line}\`, each for at most ${CUSTOM_AGENT_MS / 1000} s.\n${
      knownCustomAgent.start === undefined
        ? `It is started like ${AGENTS[knownCustomAgent.like].shown}. If that is wrong: ${installLine(knownCustomAgent)}\n`
        : ''
    }`,
  );
  const result = await probe(staged);
  const keep = (record: CustomAgent): void => {
    const file = customAgentFile(folders, agent.name);
    writeTarget({ file, path: file }, customAgentText(record), 0o600);
  };
  if (result.verdict === 'could-not-run') return result; // nothing new is known
  const cells = result.verdict === 'enforced' ? await measure(staged, customAgent) : undefined;
  if (cells === undefined) {
    keep(customAgent);
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
  keep({ ...customAgent, measured });
  return { ...result, measured: cells };
}

/** An agent that waits for a terminal would never end. */
const CUSTOM_AGENT_MS = 60_000;

/** How the similar agent is started, for display. */
async function argsLike(agent: Agent): Promise<string> {
  const args = (await agent.headless?.())?.args('"$PROMPT"', '$MODEL_URL') ?? [];
  return args.join(' ');
}

const installLine = ({ name, like, into }: CustomAgent): string =>
  `anyhook install ${name} --like ${like} --into ${into} --start '<command line with "$PROMPT" and $MODEL_URL>'`;

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
