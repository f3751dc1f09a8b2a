/** `anyhook install [agent]` and `uninstall`: shows what changes in which file, then does it. */
import { existsSync } from 'node:fs';
import { isatty } from 'node:tty';
import { AGENT_NAMES } from '../agents/index.ts';
import type { Agent } from '../agents/shared/agent.ts';
import type { InstallLocation, Setup } from '../agents/shared/bridge.ts';
import { clientFiles } from '../agents/shared/client-command.ts';
import { agentLike } from '../agents/stranger.ts';
import { foldersOf, locationsOf } from '../gather/folders.ts';
import { knownAgents } from '../gather/strangers.ts';
import { print, printJson } from '../console/print.ts';
import { withProgress } from '../console/progress.ts';
import { checkFolder, UsageError } from '../console/usage.ts';
import { agentsHere } from '../doctor/look/find-agents.ts';
import { stopDaemon } from '../daemon/ask-daemon.ts';
import { daemonPlaceOf } from '../daemon/place.ts';
import { carryOut, checkPlan } from '../install/carry-out.ts';
import { type InstallPlan, planInstall, planUninstall } from '../install/plan.ts';
import { hasProxies, planUnwrap, planWrap, type WrapPlan } from '../install/mcp/plan.ts';
import { setupFor } from '../install/setup.ts';
import { ownerOf, strangerFrom, withoutStranger, withStranger } from '../install/stranger-step.ts';
import { agentNamed } from '../console/agent-named.ts';
import { answerTo, isYes } from '../console/answer-to.ts';
import { announce, checkAnnounceable, checkPerson } from './by-person.ts';
import type { Define } from './commands.ts';
import { actManaged } from './install-managed.ts';
import {
  difference,
  inFriendlyWords,
  type InstallOptions,
  nounOf,
  report,
  doneLines,
  installLines,
  type Verb,
} from './install-report.ts';

export const define: Define = (command, done) => {
  command
    .argument('[agent...]', `${AGENT_NAMES.join(', ')}; without one: those that are here, after a question`)
    .option('--user', 'for all of your projects (the default)')
    .option('--project', 'for this project only')
    .option(
      '--managed',
      'for all users of this machine, by root: in the managed settings of the agents named, or of all',
    )
    .option('--open', 'let tool calls run where anyhook itself is missing or broken')
    .option('--strict', 'refuse a call when the agent cannot do what hooks ask for')
    .option(
      '--mcp [server...]',
      'put the proxy around its MCP servers instead, all or those named: anyhook mcp',
    )
    .option('--like <agent>', 'for an agent that has no name here: its hooks are written as in this one')
    .option('--into <file>', 'with --like: the file of its settings in which hooks stand')
    .option(
      '--start <line>',
      'with --like: starts it for doctor --probe, by sh, about "$PROMPT" and the model at $MODEL_URL',
    )
    .option('--dry-run', 'show what would change, and write nothing')
    .option('--cwd <folder>', 'the project')
    .option('--json', 'as JSON')
    .action(async (agents: readonly string[], options: InstallOptions) => {
      if (options.like !== undefined || options.into !== undefined) done(actOnStranger(agents, options));
      else
        done(
          agents.length === 0 && !options.managed
            ? await installHere(options)
            : actOn('install', agents, options),
        );
    });
};

export const defineUninstall: Define = (command, done) => {
  command
    .argument('<agent...>', AGENT_NAMES.join(', '))
    .option('--user', 'what was installed for all of your projects (the default)')
    .option('--project', 'what was installed for this project')
    .option('--managed', 'what was installed for all users of this machine')
    .option('--mcp [server...]', 'only the proxy around its MCP servers, all or those named')
    .option('--dry-run', 'show what would change, and write nothing')
    .option('--cwd <folder>', 'the project')
    .option('--json', 'as JSON')
    .action(async (agents: readonly string[], options: InstallOptions) => {
      const code = actOn('uninstall', agents, options);
      if (!options.dryRun) await stopUnusedDaemon();
      done(code);
    });
};

const ANSWER_MS = 2000;

/** The client is removed with the last bridge, and nobody else sends events. */
async function stopUnusedDaemon(): Promise<void> {
  const locations = locationsOf({});
  if (!clientFiles(locations).some((file) => existsSync(file)))
    await stopDaemon(daemonPlaceOf(locations), ANSWER_MS);
}

/** Every agent that is here and has no bridge yet: all that would change is shown, and one question asked. */
async function installHere(options: InstallOptions): Promise<number> {
  checkOptions('install', options);
  if (options.mcp !== undefined)
    throw new UsageError('install: --mcp comes after the agent: anyhook install claude-code --mcp');
  const locations = locationsOf(options.cwd === undefined ? {} : { cwd: options.cwd });
  const here = await withProgress('Looking for agents', async () =>
    agentsHere(locations, knownAgents(foldersOf(locations))),
  );
  if (here.length === 0)
    throw new UsageError(
      `install: none of the agents it knows was found here (${AGENT_NAMES.join(', ')}); to prepare for one, name it`,
    );
  const plans = await withProgress('Looking at their settings', async (progress) =>
    here.map((agent) => {
      progress.say(`Looking at the settings of ${agent.shown}`);
      return planned('install', agent, options);
    }),
  );
  const open = plans.filter(({ idle }) => !idle);
  const canAsk = options.json !== true && isatty(0) && isatty(1);
  if (open.length > 0 && options.dryRun !== true && !canAsk)
    throw new UsageError(
      `install: without a terminal it cannot ask; name one of those that are here: ${open.map(({ agent }) => agent.name).join(', ')}`,
    );
  if (options.dryRun === true || open.length === 0) {
    if (options.json) printJson(plans.map((plan) => report('install', plan, options)));
    else print(plans.flatMap((plan) => installLines('install', plan, options)));
    return 0;
  }
  print(
    plans.flatMap((plan) => (plan.idle ? installLines('install', plan, options) : difference(plan, options))),
  );
  const chosen = chosenFrom(open, await answerTo(`${questionFor(open)} `));
  for (const plan of chosen) {
    inFriendlyWords('install', () => carryOut(plan));
    print(doneLines('install', plan, options));
  }
  if (chosen.length === 0) print(['Nothing was changed.']);
  return 0;
}

const questionFor = (plans: readonly InstallPlan[]): string =>
  plans.length === 1
    ? `Let ${plans[0]!.agent.shown} run your hooks? [y/N]`
    : `Let ${plans.map(({ agent }) => agent.shown).join(', ')} run your hooks? [y/N, or the names of some]`;

function chosenFrom(plans: readonly InstallPlan[], answer: string): readonly InstallPlan[] {
  if (isYes(answer)) return plans;
  if (/^(?:no?)?$/i.test(answer)) return [];
  const named = answer.split(/\s*,\s*|\s+/).map((name) => agentNamed('install', name).name);
  return plans.filter(({ agent }) => named.includes(agent.name));
}

function checkOptions(verb: Verb, { user, project, managed, mcp, cwd }: InstallOptions): void {
  if (managed && (user || project || mcp !== undefined))
    throw new UsageError(
      `${verb}: --managed is for the whole machine, and not for --user, --project or --mcp`,
    );
  if (user && project) throw new UsageError(`${verb}: --user or --project, not both`);
  checkFolder(verb, cwd);
}

/** One that nobody has described: the person says what it is like. */
function actOnStranger([name]: readonly string[], options: InstallOptions): number {
  const { like, into, start, mcp, project, managed } = options;
  checkOptions('install', options);
  if (like === undefined || into === undefined)
    throw new UsageError(
      'install: --like and --into go together: anyhook install <name> --like <agent> --into <file>',
    );
  if (mcp !== undefined || project || managed)
    throw new UsageError(
      `install: ${project ? '--project' : managed ? '--managed' : '--mcp'} does not go with --like; --into says where`,
    );
  const where = whereOf(options);
  const stranger = inFriendlyWords('install', () => strangerFrom({ name, like, into, start }, where));
  const plan = inFriendlyWords('install', () =>
    withStranger(planInstall(agentLike(stranger), where, setupOf(options)), stranger),
  );
  const owner = ownerOf(stranger, where);
  const notes =
    owner === undefined
      ? []
      : [`That is the file of ${owner}, which is known here: anyhook install ${owner}`];
  return carryOutAll(
    'install',
    [{ ...plan, agent: { ...plan.agent, notes: [...notes, ...plan.agent.notes] } }],
    options,
  );
}

function actOn(verb: Verb, agents: readonly string[], options: InstallOptions): number {
  checkOptions(verb, options);
  if (options.managed) return actManaged(verb, agents, options);
  const [agent, another] = agents;
  if (agent === undefined || another !== undefined)
    throw new UsageError(`${verb}: one agent at a time, unless --managed`);
  return act(verb, agent, options);
}

function act(verb: Verb, name: string, options: InstallOptions): number {
  const agent = agentNamed(verb, name);
  if (verb === 'uninstall' && !options.dryRun) checkPerson(verb, process.env);
  return carryOutAll(verb, plansFor(verb, agent, options), options);
}

/** All or nothing: what cannot be done is found out before the first is done, and before anybody is told of it. */
function carryOutAll(verb: Verb, plans: readonly InstallPlan[], options: InstallOptions): number {
  const open = options.dryRun ? [] : plans.filter(({ idle }) => !idle);
  inFriendlyWords(verb, () => {
    for (const plan of open) checkPlan(plan);
    if (verb === 'uninstall' && open.length > 0) checkAnnounceable();
    for (const plan of open) {
      if (verb === 'uninstall')
        announce(`the ${nounOf(plan)} of ${plan.agent.shown} taken away (${plan.where.scope})`);
      carryOut(plan);
    }
  });
  const reports = plans.map((plan) => report(verb, plan, options));
  if (options.json) printJson(reports.length === 1 ? reports[0]! : reports);
  else print(plans.flatMap((plan) => installLines(verb, plan, options)));
  return 0;
}

/** What goes with the bridge goes too: proxies that nobody mentioned would stay behind. */
function plansFor(verb: Verb, agent: Agent, options: InstallOptions): readonly InstallPlan[] {
  if (options.mcp !== undefined) return [plannedProxies(verb, agent, options)];
  const plan = planned(verb, agent, options);
  const isBoth = verb === 'uninstall' && hasProxies(agent, plan.where);
  return isBoth ? [plannedProxies(verb, agent, options), plan] : [plan];
}

function planned(verb: Verb, agent: Agent, options: InstallOptions): InstallPlan {
  const [where, setup] = [whereOf(options), setupOf(options)];
  return inFriendlyWords(verb, () =>
    verb === 'install'
      ? planInstall(agent, where, setup)
      : withoutStranger(planUninstall(agent, where, setup)),
  );
}

function plannedProxies(verb: Verb, agent: Agent, options: InstallOptions): WrapPlan {
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
