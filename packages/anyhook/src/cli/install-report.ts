/** What an install or an uninstall has done, or would do: for a program, and for a person. */
import type { InstallLocation } from '../agents/shared/bridge.ts';
import { unifiedPatch } from '../settings/trust/diff.ts';
import { paint } from '../console/print.ts';
import { UsageError } from '../console/usage.ts';
import { findInstalled } from '../doctor/look/installed.ts';
import { Unreadable } from '../install/json-text.ts';
import type { WrapPlan } from '../install/mcp/plan.ts';
import type { InstallPlan, Step } from '../install/plan.ts';

export interface InstallOptions {
  readonly user?: boolean;
  readonly project?: boolean;
  readonly managed?: boolean;
  readonly open?: boolean;
  readonly strict?: boolean;
  /** The names of servers; true: all of them. */
  readonly mcp?: true | readonly string[];
  /** Of an agent that nobody has described here. */
  readonly like?: string;
  readonly into?: string;
  readonly start?: string;
  readonly dryRun?: boolean;
  readonly json?: boolean;
  readonly cwd?: string;
}
export type Verb = 'install' | 'uninstall';

const isOfProxies = (plan: InstallPlan): plan is WrapPlan => 'left' in plan;
export const nounOf = (plan: InstallPlan): string => (isOfProxies(plan) ? 'proxies' : 'bridge');

/** A file that is left alone is said in one line; what the disk refuses, too. */
export function inFriendlyWords<T>(verb: Verb, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const isKnown = error instanceof Unreadable || typeof (error as { code?: unknown }).code === 'string';
    throw isKnown ? new UsageError(`${verb}: ${(error as Error).message}`) : error;
  }
}

const placeOf = ({ scope }: InstallLocation): string => (scope === 'managed' ? 'machine' : scope);

const isChanged = ({ target, wanted }: Step): boolean =>
  wanted === null ? target.bytes !== undefined : target.bytes?.equals(wanted) !== true;

const changeOf = ({ target, wanted }: Step): 'create' | 'edit' | 'remove' =>
  wanted === null ? 'remove' : target.bytes === undefined ? 'create' : 'edit';

export function report(verb: Verb, plan: InstallPlan, { dryRun }: InstallOptions) {
  const { agent, where, steps, idle } = plan;
  return {
    agent: agent.name,
    scope: where.scope,
    done: !dryRun && !idle,
    already: idle,
    files: steps
      .filter(isChanged)
      .map((step) => ({ file: step.target.path, change: changeOf(step), diff: diffText(step) })),
    notes: notesOf(verb, plan, dryRun),
  };
}

const diffText = ({ target, wanted }: Step): string =>
  [target.bytes, wanted].some((bytes) => bytes?.includes(0) === true)
    ? `Binary file ${target.path}\n`
    : unifiedPatch(target.path, target.bytes?.toString() ?? null, wanted?.toString() ?? null);

export function installLines(verb: Verb, plan: InstallPlan, options: InstallOptions): string[] {
  const { agent, where, idle } = plan;
  const name = `${agent.shown}${isOfProxies(plan) ? ', MCP servers' : ''}`;
  if (idle)
    return [
      verb === 'install'
        ? `${name}: already installed for this ${placeOf(where)}; nothing to do.`
        : `${name}: not installed for this ${placeOf(where)}; nothing to do.`,
      ...(isOfProxies(plan) ? leftLines(plan) : []),
    ];
  return [...difference(plan, options), ...doneLines(verb, plan, options)];
}

/** A dry run is a patch, whole. Otherwise a person wants to see what becomes of their own files; our client is not theirs. */
export const difference = ({ steps }: InstallPlan, { dryRun }: InstallOptions): string[] =>
  steps
    .filter(isChanged)
    .flatMap((step) =>
      dryRun || !OURS.test(step.target.path) ? diffText(step).split('\n').map(coloured) : ourLines(step),
    );
/** Files of ours that settings lead to. */
const OURS =
  /[\\/]anyhook[\\/](?:(?:launcher|bin)[\\/][^\\/]+|anyhook-client(?:\.(?:exe|cmd|cjs|conf))?|open\.mjs)$/;
const ourLines = ({ target, wanted }: Step): string[] =>
  wanted === null ? [`--- ${target.path} (ours)`, ''] : [`+++ ${target.path} (ours; --dry-run shows it)`, ''];

export function doneLines(verb: Verb, plan: InstallPlan, { dryRun }: InstallOptions): string[] {
  const { agent, where, steps } = plan;
  const name = `${agent.shown}${isOfProxies(plan) ? ', MCP servers' : ''}`;
  // The configuration goes with the client.
  const files = steps.filter((step) => isChanged(step) && !step.target.path.endsWith('anyhook-client.conf'));
  return [
    dryRun
      ? `${name}: a dry run; nothing was written.`
      : `${name}: ${verb}ed for this ${placeOf(where)}: ${files.map(({ target }) => target.path).join(', ')}.`,
    ...notesOf(verb, plan, dryRun).map((note) => `note: ${note}`),
  ];
}

function notesOf(verb: Verb, plan: InstallPlan, dryRun: InstallOptions['dryRun']): readonly string[] {
  if (verb !== 'install') return [];
  const tier = plan.where.scope === 'managed' ? plan.agent.managed : null;
  if (tier !== null) return [tier.holds, `What a user with a shell still can: ${tier.leaves}`];
  if (!isOfProxies(plan))
    return [
      ...plan.agent.notes,
      ...twiceNotes(plan),
      ...(dryRun || plan.agent.headless === null
        ? []
        : [`To see whether a refusal holds there: anyhook doctor --probe ${plan.agent.name}`]),
    ];
  const shared = 'This file names `anyhook`: whoever uses it needs that on the PATH.';
  return [...plan.left, ...(plan.where.scope === 'project' && !plan.idle ? [shared] : [])];
}

/** An agent reads the person's settings and the project's: with a bridge in both it asks twice. */
function twiceNotes({ agent, where }: InstallPlan): readonly string[] {
  const other: InstallLocation = { ...where, scope: where.scope === 'user' ? 'project' : 'user' };
  const isOneFile = agent.bridge(where).at(-1)!.file === agent.bridge(other).at(-1)!.file;
  const isThere =
    !isOneFile && findInstalled(where, [agent]).installed.some(({ scope }) => scope === other.scope);
  return isThere
    ? [
        `It is installed for this ${other.scope} as well: every hook would be asked twice. To keep one: anyhook uninstall ${agent.name} --project`,
      ]
    : [];
}

const leftLines = ({ left }: WrapPlan): string[] => left.map((line) => `note: ${line}`);

const coloured = (line: string): string =>
  line.startsWith('+') ? paint('green', line) : line.startsWith('-') ? paint('red', line) : line;
