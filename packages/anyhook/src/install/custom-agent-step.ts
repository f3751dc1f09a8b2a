/** Installs into an agent without a built-in record: describes the agent and stores that description. */

import { existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parse } from 'jsonc-parser';
import { agentLike, settingsFileOf, type CustomAgent } from '../agents/custom-agent.ts';
import { type AgentName, agentOf, AGENTS, isAgentName } from '../agents/index.ts';
import type { InstallLocation } from '../agents/shared/bridge.ts';
import { agentNamed } from '../console/agent-named.ts';
import { UsageError } from '../console/usage.ts';
import { DIALECTS } from '../dialects.ts';
import { foldersOf } from '../gather/folders.ts';
import {
  isCustomAgentName,
  customAgentFile,
  customAgentNamed,
  customAgentText,
} from '../gather/known-agents.ts';
import type { InstallPlan, Step } from './plan.ts';
import { readIfAllowed } from './read-if-allowed.ts';
import { targetFileOf } from './target.ts';

/** The arguments as the user entered them. */
export interface CustomAgentWords {
  readonly name: string | undefined;
  readonly like: string;
  readonly into: string;
  readonly start: string | undefined;
}

/** Keeps measurements if it is still the same agent. Throws a usage error for invalid arguments. */
export function customAgentFrom(
  { name: said, like, into, start }: CustomAgentWords,
  where: InstallLocation,
): CustomAgent {
  const known = agentNamed('install --like', like).name;
  if (!isAgentName(known))
    throw new UsageError(`install: ${like} is itself only like another; name that one after --like`);
  if (AGENTS[known].bridge(where).length > 1)
    throw new UsageError(`install: the bridge to ${known} is more than one file; --into can name only one`);
  const file = resolve(where.cwd, settingsFileOf(into, where.home));
  const reason = unreachable(known, file, where);
  if (reason !== undefined) throw new UsageError(`install: ${reason}`);
  const name = said ?? nameIn(file);
  if (name === undefined || !isCustomAgentName(name))
    throw new UsageError(
      'install: the name of the agent is missing or invalid. Use letters, digits and hyphens: anyhook install <name> --like <agent> --into <file>',
    );
  const described = agentOf(name);
  if (described !== undefined)
    throw new UsageError(`install: ${described.shown} is known here: anyhook install ${name}`);
  const customAgent: CustomAgent = {
    name,
    like: known,
    into: file.startsWith(`${where.home}/`) ? `~${file.slice(where.home.length)}` : file,
    ...(start !== undefined && { start }),
  };
  const before = customAgentNamed(foldersOf(where), name);
  if (before !== undefined && (before.into !== customAgent.into || before.like !== customAgent.like))
    throw new UsageError(
      `install: ${name} is already installed like ${before.like} into ${before.into}. To change that, first run: anyhook uninstall ${name}`,
    );
  const measured = before?.start === customAgent.start ? before?.measured : undefined;
  return { ...customAgent, ...(measured !== undefined && { measured }) };
}

/** Why no bridge can be written into that file; undefined if one can. */
function unreachable(like: AgentName, file: string, where: InstallLocation): string | undefined {
  const shown = AGENTS[like].shown;
  const isModule = /\.[cm]?[jt]sx?$/.test(file);
  const takesModule = AGENTS[like].bridge(where).at(-1)?.kind === 'whole';
  if (isFolder(file))
    return `${file} is a folder. Agents with one executable per event (such as Cline) are not supported by --like yet; --into must name one settings file`;
  if (isModule && !takesModule)
    return `${file} is a module, and ${shown} reads its hooks from a settings file. For an agent that loads modules: --like opencode --into <its plugin folder>/anyhook.js`;
  if (takesModule && !isModule)
    return `hooks of ${shown} are modules, and ${file} is not one. Name a file in the agent's plugin folder: --into <plugin folder>/anyhook.js`;
  const event = takesModule ? undefined : eventAtRoot(file);
  if (event !== undefined)
    return `${file} has "${event}" at its root, not under "hooks". Such files are not supported by --like yet; nothing was changed`;
  return undefined;
}

const isFolder = (file: string): boolean => statSync(file, { throwIfNoEntry: false })?.isDirectory() === true;

/** An event name among the top-level keys of the file: an entry under `hooks` would never be read there. */
function eventAtRoot(file: string): string | undefined {
  const bytes = existsSync(file) ? readIfAllowed(file) : undefined;
  if (bytes === undefined) return undefined;
  const root: unknown = parse(String(bytes), [], { allowTrailingComma: true });
  if (typeof root !== 'object' || root === null || Object.hasOwn(root, 'hooks')) return undefined;
  const words = new Set(DIALECTS.flatMap(({ words: ofDialect }) => Object.values(ofDialect).flat()));
  return Object.entries(root).find(([key, value]) => words.has(key) && Array.isArray(value))?.[0];
}

/** `~/.strange/settings.json` belongs to `strange`. */
const nameIn = (file: string): string | undefined => /^.*\/\.([\w-]+)\//.exec(file)?.[1];

/** The known agent that owns the file; its own record is better than a similar one. */
export const ownerOf = (customAgent: CustomAgent, where: InstallLocation): string | undefined => {
  const [{ file }] = agentLike(customAgent).bridge(where);
  return Object.values(AGENTS).find(({ bridge }) => bridge(where).some((piece) => piece.file === file))?.name;
};

export function withCustomAgent(plan: InstallPlan, customAgent: CustomAgent): InstallPlan {
  const wanted = Buffer.from(customAgentText(customAgent));
  return withStep(plan, { ...stepFor(plan), wanted, mode: 0o600 });
}
export const withoutCustomAgent = (plan: InstallPlan): InstallPlan =>
  isAgentName(plan.agent.name) ? plan : withStep(plan, { ...stepFor(plan), wanted: null });

function stepFor({ agent, where }: InstallPlan): Omit<Step, 'wanted'> {
  const file = customAgentFile(foldersOf(where), agent.name);
  return { target: targetFileOf(file, { scope: 'user', cwd: where.cwd }), folders: [dirname(file)] };
}

function withStep(plan: InstallPlan, step: Step): InstallPlan {
  const isSame =
    step.wanted === null ? step.target.bytes === undefined : step.target.bytes?.equals(step.wanted) === true;
  return { ...plan, steps: [...plan.steps, step], idle: plan.idle && isSame };
}
