/** The built-in guards. They act in every agent, no matter who runs the configured hooks. */

import { agentOf } from '../agents/index.ts';
import { hasOpener } from '../agents/shared/side-routes.ts';
import { findDialect } from '../dialects.ts';
import type { Dialect } from '../events/dialect.ts';
import type { Hook } from '../events/hook.ts';
import type { GatheredHooks } from '../gather/gather.ts';
import { knownAgent } from '../gather/known-agents.ts';
import type { LeftHooks } from '../gather/left-hooks.ts';
import type { EngineSettings } from '../gather/settings-of.ts';
import { alsoRefusesChanged, GuardBinding } from './guard-binding.ts';
import type { Means } from './means.ts';
import type { GuardSources } from './strength.ts';

/**
 * The agent itself may run all configured hooks, which leaves none for us. The built-in guards still act there. A program that
 * embeds us without hooks gets no built-in guards and pays nothing for them.
 */
export const isInAgent = ({ options: { host }, folders }: Means): boolean =>
  knownAgent(host.name, () => folders) !== undefined;

/**
 * Whether sessions are bound to their guards. A program that embeds us may change its hooks while it runs. Replays, tests and
 * explanations have no journal and thus no session.
 */
export const bindsGuards = (means: Means): boolean =>
  means.options.journal !== false && (means.options.sessionStore === 'file' || isInAgent(means));

/** Self-protection, the first built-in guard, also refuses calls while a bound guard differs. */
export function withBinding(means: Means, own: readonly Hook[], sources: GuardSources): readonly Hook[] {
  if (!bindsGuards(means)) return own;
  const { store, folders } = means;
  const binding = new GuardBinding({ store, acts: folders.acts, sources });
  return own.map((hook) => (hook.isFirst === true ? alsoRefusesChanged(hook, binding) : hook));
}

interface ProtectedHooks {
  readonly gathered: GatheredHooks;
  readonly left: LeftHooks;
  readonly settings: EngineSettings;
  readonly dialects: readonly Dialect[];
}

export async function selfProtectionFor(
  { options, locations, folders }: Means,
  { gathered, left, settings: { journal }, dialects }: ProtectedHooks,
): Promise<readonly Hook[]> {
  const isInPlay =
    journal !== false ||
    left.hooks.length + left.modules.length > 0 ||
    gathered.hooks.some(({ origin }) => origin.layer !== 'session');
  if (!isInPlay || options.trust?.selfProtection === false) return [];
  const { selfProtection } = await import('../self-protection/index.ts');
  const { gate } = gathered;
  const hooks = [...gathered.hooks, ...left.hooks];
  const modules = [...gathered.modules, ...left.modules];
  return [
    selfProtection({ locations, folders, journal, dialects, hooks, modules, examined: gate?.examined ?? [] }),
  ];
}

/** Guards that close the agent's ways around its hooks, as far as hooks can close them. */
export async function sideRoutesFor({ options }: Means, hooks: readonly Hook[]): Promise<readonly Hook[]> {
  const agent = agentOf(options.host.name);
  if (agent === undefined || !hasOpener(agent.sideRoutes) || options.trust?.selfProtection === false)
    return [];
  const { sideRouteGuard } = await import('../gather/side-routes.ts');
  const isAboutCalls = ({ dialect, on }: Hook) =>
    findDialect(dialect)?.words['tool.before']?.includes(on) === true;
  return [sideRouteGuard(agent, hooks.filter(isAboutCalls)) ?? []].flat();
}
