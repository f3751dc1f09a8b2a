/** `anyhook install [agent]` and `uninstall`: shows what changes in which file, then does it. */
import { isatty } from 'node:tty';
import { type AgentName, AGENT_NAMES, AGENTS } from '../../agents/index.ts';
import type { InstallLocation, Setup } from '../../agents/shared/bridge.ts';
import { locationsOf } from '../../assembly/folders.ts';
import { unifiedPatch } from '../../settings/trust/diff.ts';
import { paint, print, printJson } from '../console/print.ts';
import { checkFolder, UsageError } from '../console/usage.ts';
import { agentsHere } from '../doctor/look/find-agents.ts';
import { findInstalled } from '../doctor/look/installed.ts';
import { carryOut } from '../install/carry-out.ts';
import { Unreadable } from '../install/json-text.ts';
import { type InstallPlan, planInstall, planUninstall, type Step } from '../install/plan.ts';
import { hasProxies, planUnwrap, planWrap, type WrapPlan } from '../install/mcp/plan.ts';
import { setupFor } from '../install/setup.ts';
import { agentNamed } from '../console/agent-named.ts';
import { answerTo, isYes } from '../console/answer-to.ts';
import { announce, checkPerson } from './by-person.ts';
import type { Define } from './commands.ts';

interface InstallOptions {
  readonly user?: boolean;
  readonly project?: boolean;
  readonly open?: boolean;
  readonly strict?: boolean;
  /** The names of servers; true: all of them. */
  readonly mcp?: true | readonly string[];
  readonly dryRun?: boolean;
  readonly json?: boolean;
  readonly cwd?: string;
}
type Verb = 'install' | 'uninstall';

export const define: Define = (command, done) => {
  command
    .argument('[agent]', `${AGENT_NAMES.join(', ')}; without one: those that are here, after a question`)
    .option('--user', 'for all of your projects (the default)')
    .option('--project', 'for this project only')
    .option('--open', 'let tool calls run where anyhook itself is missing or broken')
    .option('--strict', 'refuse a call when the agent cannot do what hooks ask for')
    .option(
      '--mcp [server...]',
      'put the proxy around its MCP servers instead, all or those named: anyhook mcp',
    )
    .option('--dry-run', 'show what would change, and write nothing')
    .option('--cwd <folder>', 'the project')
    .option('--json', 'as JSON')
    .action(async (agent: string | undefined, options: InstallOptions) =>
      done(agent === undefined ? await installHere(options) : act('install', agent, options)),
    );
};

export const defineUninstall: Define = (command, done) => {
  command
    .argument('<agent>', AGENT_NAMES.join(', '))
    .option('--user', 'what was installed for all of your projects (the default)')
    .option('--project', 'what was installed for this project')
    .option('--mcp [server...]', 'only the proxy around its MCP servers, all or those named')
    .option('--dry-run', 'show what would change, and write nothing')
    .option('--cwd <folder>', 'the project')
    .option('--json', 'as JSON')
    .action((agent: string, options: InstallOptions) => done(act('uninstall', agent, options)));
};

/** Every agent that is here and has no bridge yet: all that would change is shown, and one question asked. */
async function installHere(options: InstallOptions): Promise<number> {
  checkOptions('install', options);
  if (options.mcp !== undefined)
    throw new UsageError('install: --mcp comes after the agent: anyhook install claude-code --mcp');
  const here = agentsHere(locationsOf(options.cwd === undefined ? {} : { cwd: options.cwd }));
  if (here.length === 0)
    throw new UsageError(
      `install: none of the agents it knows was found here (${AGENT_NAMES.join(', ')}); to prepare for one, name it`,
    );
  const plans = here.map((agent) => planned('install', agent, options));
  const open = plans.filter(({ idle }) => !idle);
  const canAsk = options.json !== true && isatty(0) && isatty(1);
  if (open.length > 0 && options.dryRun !== true && !canAsk)
    throw new UsageError(
      `install: without a terminal it cannot ask; name one of those that are here: ${open.map(({ agent }) => agent).join(', ')}`,
    );
  if (options.dryRun === true || open.length === 0) {
    if (options.json) printJson(plans.map((plan) => report('install', plan, options)));
    else print(plans.flatMap((plan) => shown('install', plan, options)));
    return 0;
  }
  print(plans.flatMap((plan) => (plan.idle ? shown('install', plan, options) : difference(plan))));
  const chosen = chosenFrom(open, await answerTo(`${questionFor(open)} `));
  for (const plan of chosen) {
    inFriendlyWords('install', () => carryOut(plan));
    print(result('install', plan, options));
  }
  if (chosen.length === 0) print(['Nothing was changed.']);
  return 0;
}

const questionFor = (plans: readonly InstallPlan[]): string =>
  plans.length === 1
    ? `Let ${AGENTS[plans[0]!.agent].shown} run your hooks? [y/N]`
    : `Let ${plans.map(({ agent }) => AGENTS[agent].shown).join(', ')} run your hooks? [y/N, or the names of some]`;

function chosenFrom(plans: readonly InstallPlan[], answer: string): readonly InstallPlan[] {
  if (isYes(answer)) return plans;
  if (/^(?:no?)?$/i.test(answer)) return [];
  const named = answer.split(/\s*,\s*|\s+/).map((name) => agentNamed('install', name));
  return plans.filter(({ agent }) => named.includes(agent));
}

function checkOptions(verb: Verb, { user, project, cwd }: InstallOptions): void {
  if (user && project) throw new UsageError(`${verb}: --user or --project, not both`);
  checkFolder(verb, cwd);
}

function act(verb: Verb, name: string, options: InstallOptions): number {
  const agent = agentNamed(verb, name);
  checkOptions(verb, options);
  if (verb === 'uninstall' && !options.dryRun) checkPerson(verb, process.env);
  const plans = plansFor(verb, agent, options);
  for (const plan of plans) {
    if (options.dryRun || plan.idle) continue;
    if (verb === 'uninstall')
      announce(`the ${nounOf(plan)} of ${AGENTS[agent].shown} taken away (${plan.where.scope})`);
    inFriendlyWords(verb, () => carryOut(plan));
  }
  const reports = plans.map((plan) => report(verb, plan, options));
  if (options.json) printJson(reports.length === 1 ? reports[0]! : reports);
  else print(plans.flatMap((plan) => shown(verb, plan, options)));
  return 0;
}

/** What goes with the bridge goes too: proxies that nobody mentioned would stay behind. */
function plansFor(verb: Verb, agent: AgentName, options: InstallOptions): readonly InstallPlan[] {
  if (options.mcp !== undefined) return [plannedProxies(verb, agent, options)];
  const plan = planned(verb, agent, options);
  const isBoth = verb === 'uninstall' && hasProxies(agent, plan.where);
  return isBoth ? [plannedProxies(verb, agent, options), plan] : [plan];
}

function planned(verb: Verb, agent: AgentName, options: InstallOptions): InstallPlan {
  const plan = verb === 'install' ? planInstall : planUninstall;
  return inFriendlyWords(verb, () => plan(agent, whereOf(options), setupOf(options)));
}

function plannedProxies(verb: Verb, agent: AgentName, options: InstallOptions): WrapPlan {
  const names = Array.isArray(options.mcp) ? (options.mcp as readonly string[]) : [];
  const where = whereOf(options);
  return inFriendlyWords(verb, () =>
    verb === 'install'
      ? planWrap(agent, where, { names, setup: setupOf(options) })
      : planUnwrap(agent, where, names),
  );
}

function whereOf({ cwd: folder, project }: InstallOptions): InstallLocation {
  const { home, cwd, env } = locationsOf(folder === undefined ? {} : { cwd: folder });
  return { scope: project ? 'project' : 'user', home, cwd, env };
}

const setupOf = ({ open, strict }: InstallOptions): Setup =>
  setupFor(open ? 'open' : 'closed', strict ? { strict: true } : {});

const isOfProxies = (plan: InstallPlan): plan is WrapPlan => 'left' in plan;
const nounOf = (plan: InstallPlan): string => (isOfProxies(plan) ? 'proxies' : 'bridge');

/** A file that is left alone is said in one line; what the disk refuses, too. */
function inFriendlyWords<T>(verb: Verb, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const isKnown = error instanceof Unreadable || typeof (error as { code?: unknown }).code === 'string';
    throw isKnown ? new UsageError(`${verb}: ${(error as Error).message}`) : error;
  }
}

const isChanged = ({ target, wanted }: Step): boolean =>
  wanted === null ? target.bytes !== undefined : target.bytes?.equals(wanted) !== true;

const changeOf = ({ target, wanted }: Step): 'create' | 'edit' | 'remove' =>
  wanted === null ? 'remove' : target.bytes === undefined ? 'create' : 'edit';

function report(verb: Verb, plan: InstallPlan, { dryRun }: InstallOptions) {
  const { agent, where, steps, idle } = plan;
  return {
    agent,
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

function shown(verb: Verb, plan: InstallPlan, options: InstallOptions): string[] {
  const { agent, where, idle } = plan;
  const name = `${AGENTS[agent].shown}${isOfProxies(plan) ? ', MCP servers' : ''}`;
  if (idle)
    return [
      verb === 'install'
        ? `${name}: already installed for this ${where.scope}; nothing to do.`
        : `${name}: not installed for this ${where.scope}; nothing to do.`,
      ...(isOfProxies(plan) ? leftLines(plan) : []),
    ];
  return [...difference(plan), ...result(verb, plan, options)];
}

const difference = ({ steps }: InstallPlan): string[] =>
  steps.filter(isChanged).flatMap((step) => diffText(step).split('\n').map(coloured));

function result(verb: Verb, plan: InstallPlan, { dryRun }: InstallOptions): string[] {
  const { agent, where, steps } = plan;
  const name = `${AGENTS[agent].shown}${isOfProxies(plan) ? ', MCP servers' : ''}`;
  const files = steps.filter(isChanged).map(({ target }) => target.path);
  return [
    dryRun
      ? `${name}: a dry run; nothing was written.`
      : `${name}: ${verb}ed for this ${where.scope}: ${files.join(', ')}.`,
    ...notesOf(verb, plan, dryRun).map((note) => `note: ${note}`),
  ];
}

function notesOf(verb: Verb, plan: InstallPlan, dryRun: InstallOptions['dryRun']): readonly string[] {
  if (verb !== 'install') return [];
  if (!isOfProxies(plan))
    return [
      ...AGENTS[plan.agent].notes,
      ...twiceNotes(plan),
      ...(dryRun || AGENTS[plan.agent].headless === null
        ? []
        : [`To see whether a refusal holds there: anyhook doctor --probe ${plan.agent}`]),
    ];
  const shared = 'This file names `anyhook`: whoever uses it needs that on the PATH.';
  return [...plan.left, ...(plan.where.scope === 'project' && !plan.idle ? [shared] : [])];
}

/** An agent reads the person's settings and the project's: with a bridge in both it asks twice. */
function twiceNotes({ agent, where }: InstallPlan): readonly string[] {
  const other: InstallLocation = { ...where, scope: where.scope === 'user' ? 'project' : 'user' };
  const isOneFile = AGENTS[agent].bridge(where).at(-1)!.file === AGENTS[agent].bridge(other).at(-1)!.file;
  const isThere =
    !isOneFile &&
    findInstalled(where).installed.some((one) => one.agent === agent && one.scope === other.scope);
  return isThere
    ? [
        `It is installed for this ${other.scope} as well: every hook would be asked twice. To keep one: anyhook uninstall ${agent} --project`,
      ]
    : [];
}

const leftLines = ({ left }: WrapPlan): string[] => left.map((line) => `note: ${line}`);

const coloured = (line: string): string =>
  line.startsWith('+') ? paint('green', line) : line.startsWith('-') ? paint('red', line) : line;
