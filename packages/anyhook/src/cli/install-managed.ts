/** `anyhook install --managed`: the bridge in the settings that root writes for all users of a machine. */

import { realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import { AGENTS } from '../agents/index.ts';
import type { Agent } from '../agents/shared/agent.ts';
import type { InstallLocation, Setup } from '../agents/shared/bridge.ts';
import { agentNamed } from '../console/agent-named.ts';
import { print, printJson } from '../console/print.ts';
import { UsageError } from '../console/usage.ts';
import { locationsOf } from '../gather/folders.ts';
import { carryOut, checkPlan } from '../install/carry-out.ts';
import { planInstall, planUninstall } from '../install/plan.ts';
import { setupFor } from '../install/setup.ts';
import { looseEnds } from '../settings/managed.ts';
import { announce, checkNoAgent } from './by-person.ts';
import {
  asUsageError,
  closingLines,
  difference,
  unchangedLines,
  type InstallOptions,
  report,
  type Verb,
} from './install-report.ts';

const TIERED: readonly Agent[] = Object.values(AGENTS).filter(({ managed }) => managed !== null);

export function actManaged(verb: Verb, names: readonly string[], options: InstallOptions): number {
  const agents = agentsIn(verb, names);
  if (process.platform !== 'linux')
    throw new UsageError(`${verb}: where agents keep their managed settings is known for Linux alone`);
  if (!options.dryRun && process.getuid?.() !== 0)
    throw new UsageError(`${verb}: managed settings are root's to write; to see what would be: --dry-run`);
  const setup = setupFor(options.open ? 'open' : 'closed', options.strict ? { strict: true } : {});
  if (verb === 'install') checkOwner(setup);
  else if (!options.dryRun) checkNoAgent(verb, process.env);
  process.umask(0o022); // every user of the machine reads them
  const plan = verb === 'install' ? planInstall : planUninstall;
  const where: InstallLocation = { ...locationsOf({}), scope: 'managed', home: '/' };
  const plans = agents.map((agent) => {
    const planned = asUsageError(verb, () => plan(agent, where, setup));
    if (options.dryRun || planned.idle) return planned;
    asUsageError(verb, () => {
      checkPlan(planned);
      if (verb === 'uninstall') announce(`the managed bridge of ${agent.shown} taken away`);
      carryOut(planned);
    });
    return planned;
  });
  if (options.json) printJson(plans.map((plan) => report(verb, plan, options)));
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

function agentsIn(verb: Verb, names: readonly string[]): readonly Agent[] {
  const known = `those that have managed settings: ${TIERED.map(({ name }) => name).join(', ')}, or all`;
  if (names.length === 0) throw new UsageError(`${verb}: --managed wants agents; ${known}`);
  if (names.includes('all')) return TIERED;
  const agents = names.map((name) => agentNamed(verb, name));
  const without = agents.find(({ managed }) => managed === null);
  if (without !== undefined)
    throw new UsageError(`${verb}: ${without.shown} has no managed settings that take hooks; ${known}`);
  return agents;
}

/** A user who can change the program that agents start can change its answers. */
function checkOwner({ node, bin }: Setup): void {
  const loose = [realpathSync(node), dirname(dirname(realpathSync(bin)))].flatMap((folder) =>
    looseEnds({ folder, owner: 0 }),
  );
  const [first] = loose;
  if (first !== undefined)
    throw new UsageError(
      `install: ${first.file} ${first.message.split(':')[0]}; managed settings may only start what is root's alone. Install Node and anyhook as root, for example below /usr/local`,
    );
}
