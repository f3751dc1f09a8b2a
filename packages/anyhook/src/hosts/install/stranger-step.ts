/** An install into an agent that nobody has described here: who it is, and the file in which that is kept. */
import { dirname, resolve } from 'node:path';
import { agentOf, AGENTS, isAgentName } from '../../agents/index.ts';
import type { InstallLocation } from '../../agents/shared/bridge.ts';
import { agentLike, settingsFileOf, type StrangeAgent } from '../../agents/stranger.ts';
import { foldersOf } from '../../assembly/folders.ts';
import { isStrangerName, strangerFile, strangerNamed, strangerText } from '../../assembly/strangers.ts';
import { agentNamed } from '../console/agent-named.ts';
import { UsageError } from '../console/usage.ts';
import type { InstallPlan, Step } from './plan.ts';
import { targetFileOf } from './target.ts';

/** As a person says it. */
export interface StrangerWords {
  readonly name: string | undefined;
  readonly like: string;
  readonly into: string;
  readonly start: string | undefined;
}

/** What was measured of it stays, if it is still the same agent. Throws a usage error for what cannot be. */
export function strangerFrom(
  { name: said, like, into, start }: StrangerWords,
  where: InstallLocation,
): StrangeAgent {
  const known = agentNamed('install --like', like).name;
  if (!isAgentName(known))
    throw new UsageError(`install: ${like} is itself only like another; name that one after --like`);
  if (AGENTS[known].bridge(where).length > 1)
    throw new UsageError(`install: the bridge to ${known} is more than one file; --into can name only one`);
  const file = resolve(where.cwd, settingsFileOf(into, where.home));
  const name = said ?? nameIn(file);
  if (name === undefined || !isStrangerName(name))
    throw new UsageError(
      'install: what shall the agent be called? anyhook install <name> --like … --into …, in letters, digits and hyphens',
    );
  const described = agentOf(name);
  if (described !== undefined)
    throw new UsageError(`install: ${described.shown} is known here: anyhook install ${name}`);
  const stranger: StrangeAgent = {
    name,
    like: known,
    into: file.startsWith(`${where.home}/`) ? `~${file.slice(where.home.length)}` : file,
    ...(start !== undefined && { start }),
  };
  const before = strangerNamed(foldersOf(where), name);
  if (before !== undefined && (before.into !== stranger.into || before.like !== stranger.like))
    throw new UsageError(
      `install: ${name} is known already, like ${before.like} and into ${before.into}; to say otherwise: anyhook uninstall ${name}`,
    );
  const measured = before?.start === stranger.start ? before?.measured : undefined;
  return { ...stranger, ...(measured !== undefined && { measured }) };
}

/** `~/.strange/settings.json` is that of `strange`. */
const nameIn = (file: string): string | undefined => /^.*\/\.([\w-]+)\//.exec(file)?.[1];

/** The agent whose own file that is: it is known better than by likeness. */
export const ownerOf = (stranger: StrangeAgent, where: InstallLocation): string | undefined => {
  const [{ file }] = agentLike(stranger).bridge(where);
  return Object.values(AGENTS).find(({ bridge }) => bridge(where).some((piece) => piece.file === file))?.name;
};

export function withStranger(plan: InstallPlan, stranger: StrangeAgent): InstallPlan {
  const wanted = Buffer.from(strangerText(stranger));
  return withStep(plan, { ...stepFor(plan), wanted, mode: 0o600 });
}
export const withoutStranger = (plan: InstallPlan): InstallPlan =>
  isAgentName(plan.agent.name) ? plan : withStep(plan, { ...stepFor(plan), wanted: null });

function stepFor({ agent, where }: InstallPlan): Omit<Step, 'wanted'> {
  const file = strangerFile(foldersOf(where), agent.name);
  return { target: targetFileOf(file, { scope: 'user', cwd: where.cwd }), folders: [dirname(file)] };
}

function withStep(plan: InstallPlan, step: Step): InstallPlan {
  const isSame =
    step.wanted === null ? step.target.bytes === undefined : step.target.bytes?.equals(step.wanted) === true;
  return { ...plan, steps: [...plan.steps, step], idle: plan.idle && isSame };
}
