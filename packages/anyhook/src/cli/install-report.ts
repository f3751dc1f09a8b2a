/** What `install` and `uninstall` print, before and after. */

import type { InstallLocation } from '../agents/shared/bridge.ts';
import { paint, screenFor } from '../console/print.ts';
import { UsageError } from '../console/usage.ts';
import { findInstalled } from '../doctor/look/installed.ts';
import { Unreadable } from '../install/json-text.ts';
import type { WrapPlan } from '../install/mcp/plan.ts';
import type { InstallPlan, Step } from '../install/plan.ts';
import { shortPath } from '../render/screen.ts';
import { wrap } from '../render/wrap.ts';
import { unifiedPatch } from '../settings/trust/diff.ts';

export interface InstallOptions {
  readonly user?: boolean;
  readonly project?: boolean;
  readonly managed?: boolean;
  readonly open?: boolean;
  readonly strict?: boolean;
  /** Server names; true for all. */
  readonly mcp?: true | readonly string[];
  /** For an agent without a built-in record. */
  readonly like?: string;
  readonly into?: string;
  readonly start?: string;
  readonly dryRun?: boolean;
  readonly diff?: boolean;
  readonly yes?: boolean;
  readonly purge?: boolean;
  readonly json?: boolean;
  readonly cwd?: string;
}
export type Verb = 'install' | 'uninstall';

const isOfProxies = (plan: InstallPlan): plan is WrapPlan => 'left' in plan;
export const nounOf = (plan: InstallPlan): string => (isOfProxies(plan) ? 'proxies' : 'bridge');

/** Settings that cannot be edited, and errors of the file system, end in one line. */
export function asUsageError<T>(verb: Verb, work: () => T): T {
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
    notes: notesOf(verb, plan),
    next: dryRun ? [] : nextSteps(verb, plan),
  };
}

const diffText = ({ target, wanted }: Step): string =>
  [target.bytes, wanted].some((bytes) => bytes?.includes(0) === true)
    ? `Binary file ${target.path}\n`
    : unifiedPatch(target.path, target.bytes?.toString() ?? null, wanted?.toString() ?? null);

const nameOf = (plan: InstallPlan): string =>
  `${plan.agent.shown}${isOfProxies(plan) ? ', MCP servers' : ''}`;

export const unchangedLines = (verb: Verb, plan: InstallPlan): string[] => [
  `${nameOf(plan)}: ${verb === 'install' ? 'already' : 'not'} installed for this ${placeOf(plan.where)}.`,
  ...(isOfProxies(plan) ? plan.left.map((line) => `note: ${line}`) : []),
];

/** Three lines: the agent, what happens to its files, and what it does if anyhook is missing. */
export function planSummary(verb: Verb, plan: InstallPlan, { open }: InstallOptions): string[] {
  const files = plan.steps.filter((step) => isChanged(step) && !OURS.test(step.target.path));
  const screen = screenFor(undefined);
  const changes = files.map(
    (step) => `  ${changeText(step).padEnd(22)} ${shortPath(step.target.path, screen)}`,
  );
  if (verb === 'uninstall') return [nameOf(plan), ...changes];
  const without = open ? 'tool calls run unchecked' : 'tool calls are refused';
  return [
    nameOf(plan),
    ...changes,
    `  without anyhook        ${isOfProxies(plan) ? 'the servers do not start' : without}`,
  ];
}

function changeText({ target, wanted }: Step): string {
  const change = changeOf({ target, wanted } as Step);
  if (change !== 'edit') return change === 'create' ? 'creates' : 'removes';
  const entries = (bytes: Buffer | null | undefined) => bytes?.toString().split('anyhook-client').length ?? 1;
  const count = entries(wanted) - entries(target.bytes);
  const noun = Math.abs(count) === 1 ? 'entry' : 'entries';
  if (count === 0) return 'edits';
  return count > 0 ? `adds ${count} ${noun} to` : `removes ${-count} ${noun} from`;
}

/** A dry run prints a complete patch. Otherwise files that are only ours are named, not shown. */
export const difference = ({ steps }: InstallPlan, { dryRun }: InstallOptions): string[] =>
  steps
    .filter(isChanged)
    .flatMap((step) =>
      dryRun || !OURS.test(step.target.path) ? diffText(step).split('\n').map(coloured) : ourLines(step),
    );
/** Our own files that the settings of agents refer to. */
const OURS =
  /[\\/]anyhook[\\/](?:(?:launcher|bin)[\\/][^\\/]+|anyhook-client(?:\.(?:exe|cmd|cjs|conf))?|open\.mjs)$/;
const ourLines = ({ target, wanted }: Step): string[] =>
  wanted === null ? [`--- ${target.path} (ours)`, ''] : [`+++ ${target.path} (ours; --dry-run shows it)`, ''];

/** What was done, what to know, and what to do next. */
export function closingLines(
  verb: Verb,
  plans: readonly InstallPlan[],
  { dryRun, purge }: InstallOptions,
): string[] {
  const done = plans.map((plan) =>
    dryRun ? `${nameOf(plan)}: dry run, nothing was written.` : doneLine(verb, plan),
  );
  const notes = plans.flatMap((plan) =>
    notesOf(verb, plan).map((note) => `note: ${plans.length > 1 ? `${plan.agent.shown}: ` : ''}${note}`),
  );
  const probe = plans.filter(hasProbe).map(({ agent }) => agent.name);
  const next = dryRun
    ? []
    : [
        ...plans.flatMap((plan) => nextSteps(verb, plan)),
        ...(verb === 'install' && probe.length > 0
          ? [
              `To check that refusals work: anyhook doctor --probe ${probe.length === 1 ? probe[0]! : '<agent>'}`,
            ]
          : []),
      ];
  const purged = purge && !dryRun ? ['Deleted the settings, hooks, trust and records of anyhook.'] : [];
  const { width } = screenFor(undefined);
  const lines = [...done, ...purged, ...notes, ...next.map((step) => `next: ${step}`)];
  return process.stdout.isTTY ? lines.flatMap((line) => wrap(line, width, '  ')) : lines;
}

function doneLine(verb: Verb, plan: InstallPlan): string {
  const files = plan.steps.filter((step) => isChanged(step) && !OURS.test(step.target.path));
  const screen = screenFor(undefined);
  const names = files.map(({ target }) => shortPath(target.path, screen)).join(', ');
  return `${nameOf(plan)}: ${verb}ed for this ${placeOf(plan.where)}${names === '' ? '' : `: ${names}`}.`;
}

const hasProbe = (plan: InstallPlan): boolean =>
  !isOfProxies(plan) && plan.where.scope !== 'managed' && plan.agent.headless !== null;

function nextSteps(verb: Verb, plan: InstallPlan): readonly string[] {
  const { agent, where } = plan;
  if (isOfProxies(plan) || where.scope === 'managed') return [];
  if (verb === 'install') return agent.nextSteps;
  return agent.trust === null
    ? []
    : [`${agent.shown} keeps its own record of trusted hooks; remove it there if you want.`];
}

function notesOf(verb: Verb, plan: InstallPlan): readonly string[] {
  if (verb !== 'install') return [];
  const tier = plan.where.scope === 'managed' ? plan.agent.managed : null;
  if (tier !== null) return [tier.holds, `A user with a shell can still: ${tier.leaves}`];
  if (!isOfProxies(plan)) return [...plan.agent.notes, ...twiceNotes(plan)];
  const shared = 'This file starts `anyhook`, so everybody who uses it needs `anyhook` on the PATH.';
  return [...plan.left, ...(plan.where.scope === 'project' && !plan.idle ? [shared] : [])];
}

/** An agent reads user and project settings: with a bridge in both, each hook runs twice. */
function twiceNotes({ agent, where }: InstallPlan): readonly string[] {
  const other: InstallLocation = { ...where, scope: where.scope === 'user' ? 'project' : 'user' };
  const isOneFile = agent.bridge(where).at(-1)!.file === agent.bridge(other).at(-1)!.file;
  const isThere =
    !isOneFile && findInstalled(where, [agent]).installed.some(({ scope }) => scope === other.scope);
  return isThere
    ? [
        `It is also installed for this ${other.scope}, so every hook would run twice. To keep one: anyhook uninstall ${agent.name} --project`,
      ]
    : [];
}

const coloured = (line: string): string =>
  line.startsWith('+') ? paint('green', line) : line.startsWith('-') ? paint('red', line) : line;
