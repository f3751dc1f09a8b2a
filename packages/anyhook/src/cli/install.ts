/** `anyhook install [agent...]` and `anyhook uninstall [agent...]`: show what changes, ask, then change it. */

import { existsSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { isatty } from 'node:tty';
import { agentLike } from '../agents/custom-agent.ts';
import { AGENT_NAMES } from '../agents/index.ts';
import type { Agent } from '../agents/shared/agent.ts';
import type { InstallLocation, Setup } from '../agents/shared/bridge.ts';
import { clientFiles, clientFolder } from '../agents/shared/client-command.ts';
import { agentNamed } from '../console/agent-named.ts';
import { answerTo, isYes } from '../console/answer-to.ts';
import { outputWidth, print, printJson } from '../console/print.ts';
import { withProgress } from '../console/progress.ts';
import { checkFolder, UsageError } from '../console/usage.ts';
import { stopDaemon } from '../daemon/ask-daemon.ts';
import { daemonPlaceOf } from '../daemon/place.ts';
import { agentsHere } from '../doctor/look/find-agents.ts';
import { findInstalled } from '../doctor/look/installed.ts';
import { foldersOf, locationsOf } from '../gather/folders.ts';
import { knownAgents } from '../gather/known-agents.ts';
import { movedInto } from '../gather/moved.ts';
import { carryOut, checkPlan } from '../install/carry-out.ts';
import {
  ownerOf,
  customAgentFrom,
  withoutCustomAgent,
  withCustomAgent,
} from '../install/custom-agent-step.ts';
import { hasProxies, planUnwrap, planWrap, type WrapPlan } from '../install/mcp/plan.ts';
import { type InstallPlan, planInstall, planUninstall } from '../install/plan.ts';
import { setupFor } from '../install/setup.ts';
import { wrap } from '../render/wrap.ts';
import { announce, checkAnnounceable, checkPerson } from './by-person.ts';
import type { Define } from './commands.ts';
import { actManaged } from './install-managed.ts';
import {
  asUsageError,
  closingLines,
  difference,
  unchangedLines,
  type InstallOptions,
  nounOf,
  report,
  planSummary,
  type Verb,
} from './install-report.ts';

export const define: Define = (command, done) => {
  command
    .argument('[agent...]', `Agents to install for; default: all that are found here`)
    .option('--user', 'For all of your projects (default)')
    .option('--project', 'For this project only')
    .option('--managed', 'For all users of this machine, in the managed settings of the agents (root only)')
    .option('--open', 'Let tool calls run if anyhook itself is missing or broken')
    .option('--strict', 'Refuse a call if the agent cannot do what hooks ask for')
    .option('--mcp [server...]', 'Wrap the MCP servers of the agent instead, all or those named')
    .option('--like <agent>', 'For an unknown agent: a known agent with the same hook format')
    .option('--into <file>', 'With --like: settings file of its hooks')
    .option(
      '--start <line>',
      'With --like: shell line that runs it on "$PROMPT" with the model at $MODEL_URL',
    )
    .option('--diff', 'Show the changes to each file before the question')
    .option('--dry-run', 'Print the changes as a patch and write nothing')
    .option('-y, --yes', 'Do not ask')
    .option('--cwd <folder>', 'Project folder')
    .option('--json', 'Print JSON')
    .addHelpText(
      'after',
      () => `\n${wrap(`Agents: ${AGENT_NAMES.join(', ')}`, outputWidth(), '  ').join('\n')}`,
    )
    .action(async (names: readonly string[], options: InstallOptions) => {
      checkOptions('install', options);
      checkHome(options);
      if (options.like !== undefined || options.into !== undefined)
        done(await carryOutAll('install', customAgentPlans(names, options), { ...options, isNamed: true }));
      else if (options.managed) done(actManaged('install', names, options));
      else
        done(
          await carryOutAll('install', await plansToInstall(names, options), {
            ...options,
            isNamed: names.length > 0,
          }),
        );
    });
};

export const defineUninstall: Define = (command, done) => {
  command
    .argument('[agent...]', 'Agents to remove anyhook from; default: all')
    .option('--user', 'What was installed for all of your projects (default)')
    .option('--project', 'What was installed for this project')
    .option('--managed', 'What was installed for all users of this machine')
    .option('--mcp [server...]', 'Only the proxies around MCP servers, all or those named')
    .option('--purge', 'Also delete your hooks, settings, trust and journal of anyhook')
    .option('--diff', 'Show the changes to each file before the question')
    .option('--dry-run', 'Print the changes as a patch and write nothing')
    .option('-y, --yes', 'Do not ask')
    .option('--cwd <folder>', 'Project folder')
    .option('--json', 'Print JSON')
    .action(async (names: readonly string[], options: InstallOptions) => {
      checkOptions('uninstall', options);
      if (options.managed) return done(actManaged('uninstall', names, options));
      const plans = plansToUninstall(names, options); // an unknown name is an error for everybody
      if (!options.dryRun) checkPerson('uninstall', process.env);
      const code = await carryOutAll('uninstall', plans, {
        ...options,
        isNamed: names.length > 0,
      });
      if (!options.dryRun) await stopUnusedDaemon();
      done(code);
    });
};

const STOP_TIMEOUT_MS = 2000;

/** The last bridge takes the client with it, and nothing else sends events. */
async function stopUnusedDaemon(): Promise<void> {
  const locations = locationsOf({});
  if (!clientFiles(locations).some((file) => existsSync(file)))
    await stopDaemon(daemonPlaceOf(locations), STOP_TIMEOUT_MS);
}

function checkOptions(verb: Verb, { user, project, managed, mcp, cwd, purge }: InstallOptions): void {
  if (managed && (user || project || mcp !== undefined))
    throw new UsageError(
      `${verb}: --managed is for the whole machine. Do not combine it with --user, --project or --mcp.`,
    );
  if (user && project) throw new UsageError(`${verb}: use --user or --project, not both`);
  if (purge && (project || managed || mcp !== undefined))
    throw new UsageError(`${verb}: --purge removes what belongs to the user. Use it alone.`);
  checkFolder(verb, cwd);
}

/** The agent would read the settings of a home folder that anyhook does not use there. */
function checkHome({ cwd, project, managed, dryRun }: InstallOptions): void {
  if (project || managed || dryRun) return;
  const moved = movedInto(locationsOf(cwd === undefined ? {} : { cwd }).cwd, process.env).find(
    ({ canBeAccepted }) => canBeAccepted,
  );
  if (moved !== undefined)
    throw new UsageError(
      `install: ${moved.variable} (${moved.folder}) ${moved.why}. To accept that once: anyhook trust home`,
    );
}

/** Of the agents named, or of all that are found here. */
async function plansToInstall(
  names: readonly string[],
  options: InstallOptions,
): Promise<readonly InstallPlan[]> {
  if (names.length > 0)
    return [...new Set(names)].flatMap((name) => plansFor('install', agentNamed('install', name), options));
  if (options.mcp !== undefined)
    throw new UsageError('install: --mcp needs an agent. Example: anyhook install claude-code --mcp');
  const locations = locationsOf(options.cwd === undefined ? {} : { cwd: options.cwd });
  const here = await withProgress('Looking for agents', async () =>
    agentsHere(locations, knownAgents(foldersOf(locations))),
  );
  if (here.length === 0)
    throw new UsageError(
      `install: no supported agent found. To install for one that comes later, name it. Known: ${AGENT_NAMES.join(', ')}`,
    );
  return withProgress('Looking at their settings', async (progress) =>
    here.map((agent) => {
      progress.say(`Looking at the settings of ${agent.shown}`);
      return planned('install', agent, options);
    }),
  );
}

function plansToUninstall(names: readonly string[], options: InstallOptions): readonly InstallPlan[] {
  if (names.length > 0)
    return [...new Set(names)].flatMap((name) =>
      plansFor('uninstall', agentNamed('uninstall', name), options),
    );
  const locations = locationsOf(options.cwd === undefined ? {} : { cwd: options.cwd });
  const scope = options.project ? 'project' : 'user';
  const { installed } = findInstalled(locations, knownAgents(foldersOf(locations)));
  const agents = installed.filter((bridge) => bridge.scope === scope).map(({ agent }) => agent);
  return agents.flatMap((agent) => plansFor('uninstall', agent, options));
}

/** For an agent without a record: the user says which known agent it is like. */
function customAgentPlans([name]: readonly string[], options: InstallOptions): readonly InstallPlan[] {
  const { like, into, start, mcp, project, managed } = options;
  if (like === undefined || into === undefined)
    throw new UsageError(
      'install: use --like and --into together: anyhook install <name> --like <agent> --into <file>',
    );
  if (mcp !== undefined || project || managed)
    throw new UsageError(
      `install: ${project ? '--project' : managed ? '--managed' : '--mcp'} cannot be combined with --like. --into names the file.`,
    );
  const where = whereOf(options);
  const customAgent = asUsageError('install', () => customAgentFrom({ name, like, into, start }, where));
  const plan = asUsageError('install', () =>
    withCustomAgent(planInstall(agentLike(customAgent), where, setupOf(options)), customAgent),
  );
  const owner = ownerOf(customAgent, where);
  const notes =
    owner === undefined
      ? []
      : [`This file belongs to ${owner}, which is supported: anyhook install ${owner}`];
  return [{ ...plan, agent: { ...plan.agent, notes: [...notes, ...plan.agent.notes] } }];
}

interface AskOptions extends InstallOptions {
  /** The command line names the agents. */
  readonly isNamed: boolean;
}

/** All or nothing: every plan is checked before the first file is written, and before sessions are notified of a removal. */
async function carryOutAll(verb: Verb, plans: readonly InstallPlan[], options: AskOptions): Promise<number> {
  const open = plans.filter(({ idle }) => !idle);
  if (options.dryRun === true) return printPlans(verb, plans, options);
  const chosen = await chosenPlans(verb, open, options);
  if (chosen === undefined) return 0;
  asUsageError(verb, () => {
    for (const plan of chosen) checkPlan(plan);
    if (verb === 'uninstall' && chosen.length > 0) checkAnnounceable();
    for (const plan of chosen) {
      if (verb === 'uninstall')
        announce(`the ${nounOf(plan)} of ${plan.agent.shown} removed (${plan.where.scope})`);
      carryOut(plan);
    }
  });
  if (options.purge) purge();
  if (options.json) return printPlans(verb, plans, options);
  const idle = plans.filter(({ idle }) => idle).flatMap((plan) => unchangedLines(verb, plan));
  const nothing = plans.length === 0 ? ['No agent has a bridge of anyhook.'] : [];
  print([...nothing, ...idle, ...closingLines(verb, chosen, options)]);
  return 0;
}

function printPlans(verb: Verb, plans: readonly InstallPlan[], options: InstallOptions): number {
  const reports = plans.map((plan) => report(verb, plan, options));
  if (options.json) printJson(reports.length === 1 ? reports[0]! : reports);
  else
    print(
      plans.flatMap((plan) =>
        plan.idle
          ? unchangedLines(verb, plan)
          : [...difference(plan, options), ...closingLines(verb, [plan], options)],
      ),
    );
  return 0;
}

/**
 * Asks on a terminal; `uninstall codex` is clear without a question. In a script, naming the agents or `--yes` is enough. Undefined:
 * the user said no.
 */
async function chosenPlans(
  verb: Verb,
  open: readonly InstallPlan[],
  options: AskOptions,
): Promise<readonly InstallPlan[] | undefined> {
  const isNamedRemoval = verb === 'uninstall' && options.isNamed && !options.purge;
  if (options.yes || options.json || isNamedRemoval || (open.length === 0 && !options.purge)) return open;
  const isTerminal = isatty(0) && isatty(1);
  if (!isTerminal) {
    if (options.isNamed) return open;
    throw new UsageError(
      `${verb}: cannot ask without a terminal. Add --yes, or name agents: ${open.map(({ agent }) => agent.name).join(', ')}`,
    );
  }
  print(
    open.flatMap((plan) => [
      ...(options.diff ? difference(plan, options) : []),
      ...planSummary(verb, plan, options),
      '',
    ]),
  );
  for (;;) {
    const answer = await answerTo(`${questionFor(verb, open, options)} `);
    if (isYes(answer)) return open;
    if (/^d(?:iff)?$/i.test(answer)) {
      print(open.flatMap((plan) => difference(plan, options)));
      continue;
    }
    const chosen = /^(?:no?)?$/i.test(answer) ? [] : namedIn(verb, open, answer);
    if (chosen.length > 0) return chosen;
    print(['Nothing was changed.']);
    return undefined;
  }
}

function questionFor(verb: Verb, plans: readonly InstallPlan[], { purge: isPurge }: InstallOptions): string {
  const names = [...new Set(plans.map(({ agent }) => agent.shown))].join(', ');
  const extra = isPurge ? ' and delete all settings, hooks, trust and records of anyhook' : '';
  const what =
    verb === 'install' ? `Install for ${names}?` : `Remove anyhook from ${names || 'no agent'}${extra}?`;
  return `${what} [y]es, [n]o, [d]iff${plans.length > 1 ? ', or names' : ''}:`;
}

function namedIn(verb: Verb, plans: readonly InstallPlan[], answer: string): readonly InstallPlan[] {
  const named = answer.split(/\s*,\s*|\s+/).map((name) => agentNamed(verb, name).name);
  return plans.filter(({ agent }) => named.includes(agent.name));
}

/** `uninstall` also removes proxies around MCP servers, which would stay behind otherwise. */
function plansFor(verb: Verb, agent: Agent, options: InstallOptions): readonly InstallPlan[] {
  if (options.mcp !== undefined) return [plannedProxies(verb, agent, options)];
  const plan = planned(verb, agent, options);
  const hasBoth = verb === 'uninstall' && hasProxies(agent, plan.where);
  return hasBoth ? [plannedProxies(verb, agent, options), plan] : [plan];
}

function planned(verb: Verb, agent: Agent, options: InstallOptions): InstallPlan {
  const [where, setup] = [whereOf(options), setupOf(options)];
  return asUsageError(verb, () =>
    verb === 'install'
      ? planInstall(agent, where, setup)
      : withoutCustomAgent(planUninstall(agent, where, setup)),
  );
}

function plannedProxies(verb: Verb, agent: Agent, options: InstallOptions): WrapPlan {
  const names = Array.isArray(options.mcp) ? (options.mcp as readonly string[]) : [];
  const where = whereOf(options);
  return asUsageError(verb, () =>
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

/** Everything of the user's that anyhook has written, and the user's own hooks of our dialect. */
function purge(): void {
  const locations = locationsOf({});
  const { config, data, journal } = foldersOf(locations);
  for (const folder of [config, data, dirname(journal), clientFolder(locations)])
    rmSync(folder, { recursive: true, force: true });
}
