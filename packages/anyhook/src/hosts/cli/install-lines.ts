/** What an install or an uninstall would change, or has changed: for people, and as JSON. */
import type { InstallLocation } from '../../agents/shared/bridge.ts';
import { unifiedPatch } from '../../settings/trust/diff.ts';
import { paint } from '../console/print.ts';
import { findInstalled } from '../doctor/look/installed.ts';
import type { WrapPlan } from '../install/mcp/plan.ts';
import type { InstallPlan, Step } from '../install/plan.ts';

export type Verb = 'install' | 'uninstall';
interface ShownHow {
  readonly dryRun?: boolean;
}

const isOfProxies = (plan: InstallPlan): plan is WrapPlan => 'left' in plan;
export const nounOf = (plan: InstallPlan): string => (isOfProxies(plan) ? 'proxies' : 'bridge');

const isChanged = ({ target, wanted }: Step): boolean =>
  wanted === null ? target.bytes !== undefined : target.bytes?.equals(wanted) !== true;

const changeOf = ({ target, wanted }: Step): 'create' | 'edit' | 'remove' =>
  wanted === null ? 'remove' : target.bytes === undefined ? 'create' : 'edit';

export function installReport(verb: Verb, plan: InstallPlan, { dryRun }: ShownHow) {
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
  unifiedPatch(target.path, target.bytes?.toString() ?? null, wanted?.toString() ?? null);

export function installLines(verb: Verb, plan: InstallPlan, options: ShownHow): string[] {
  const { agent, where, idle } = plan;
  const name = `${agent.shown}${isOfProxies(plan) ? ', MCP servers' : ''}`;
  if (idle)
    return [
      verb === 'install'
        ? `${name}: already installed for this ${where.scope}; nothing to do.`
        : `${name}: not installed for this ${where.scope}; nothing to do.`,
      ...(isOfProxies(plan) ? leftLines(plan) : []),
    ];
  return [...differenceLines(plan), ...doneLines(verb, plan, options)];
}

export const differenceLines = ({ steps }: InstallPlan): string[] =>
  steps.filter(isChanged).flatMap((step) => diffText(step).split('\n').map(coloured));

export function doneLines(verb: Verb, plan: InstallPlan, { dryRun }: ShownHow): string[] {
  const { agent, where, steps } = plan;
  const name = `${agent.shown}${isOfProxies(plan) ? ', MCP servers' : ''}`;
  const files = steps.filter(isChanged).map(({ target }) => target.path);
  return [
    dryRun
      ? `${name}: a dry run; nothing was written.`
      : `${name}: ${verb}ed for this ${where.scope}: ${files.join(', ')}.`,
    ...notesOf(verb, plan, dryRun).map((note) => `note: ${note}`),
  ];
}

function notesOf(verb: Verb, plan: InstallPlan, dryRun: ShownHow['dryRun']): readonly string[] {
  if (verb !== 'install') return [];
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
