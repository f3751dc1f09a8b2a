/** Everything doctor knows before it judges. Read once, with the same code as the other commands. */

import type { Agent } from '../../agents/shared/agent.ts';
import { missingGuards } from '../../console/missing-guards.ts';
import { EVERYTHING } from '../../events/capabilities.ts';
import type { Locations } from '../../events/dialect.ts';
import { type Hook, isBuiltIn, type OnFailure } from '../../events/hook.ts';
import type { Problem } from '../../events/problems.ts';
import { foldersOf } from '../../gather/folders.ts';
import { knownAgents } from '../../gather/known-agents.ts';
import type { Options } from '../../gather/options.ts';
import { createHooks } from '../../library/create-hooks.ts';
import { projectLocations } from '../../library/project-root.ts';
import { type KnownTools, toolNames } from '../../library/tool-names.ts';
import { entryAt, type EntryAt } from '../../menu/entry-at.ts';
import { hookMenu } from '../../menu/rows.ts';
import type { Policy } from '../../settings/policy.ts';
import { readSettingsFile } from '../../settings/read-file.ts';
import type { TrustedGuard } from '../../settings/trusted-guards.ts';
import { findAgents, type FoundAgent } from './find-agents.ts';
import { findInstalled, type InstalledHere } from './installed.ts';
import { straysIn, type Stray } from './strays.ts';

export interface Inspection extends InstalledHere {
  readonly locations: Required<Locations>;
  /** Hooks as their files define them. Trusted hooks run from a copy, and untrusted hooks do not run. */
  readonly hooks: readonly Hook[];
  readonly problems: readonly Problem[];
  readonly policy: Policy | undefined;
  readonly strays: readonly Stray[];
  /** Guards of the project that were trusted and are now changed or missing. */
  readonly missing: readonly TrustedGuard[];
  readonly agents: readonly FoundAgent[];
  /** All agents that may be installed here. */
  readonly known: readonly Agent[];
  readonly tools: KnownTools;
  /** Returns the failure policy of a hook. */
  onFailure(id: string): OnFailure;
  /** The entry of a hook in its file. */
  entryOf(hook: Hook): EntryAt | undefined;
}

/** Runs nothing of the project and records nothing. */
export async function inspect(where: Pick<Options, 'cwd' | 'home' | 'env' | 'managed'>): Promise<Inspection> {
  const locations = projectLocations(where);
  const known = knownAgents(foldersOf(locations));
  const host = { name: 'anyhook', can: EVERYTHING } as const;
  const [agents, hooks] = await Promise.all([
    findAgents(locations, known),
    createHooks({ host, journal: false, ...where }),
  ]);
  await hooks.close();
  const policies = new Map(hookMenu(hooks).map(({ id, onFailure }) => [id, onFailure]));
  const asWritten = hooks.hooks
    .filter((hook) => !isBuiltIn(hook))
    .map((hook) => hooks.examined.find((entry) => entry.hook?.id === hook.id)?.hook ?? hook);
  const texts = new Map<string, string | undefined>();
  const settingsText = (file: string): string | undefined => {
    if (!texts.has(file)) {
      const read = readSettingsFile(file);
      texts.set(file, read.kind === 'text' ? read.text : undefined);
    }
    return texts.get(file);
  };
  return {
    locations,
    hooks: asWritten,
    problems: hooks.problems,
    policy: hooks.policy,
    strays: straysIn(locations, hooks.hooks),
    missing: missingGuards(locations.cwd, hooks.examined),
    agents,
    known,
    tools: toolNames(hooks.offers.tools.map(({ name }) => name)),
    onFailure: (id) => policies.get(id) ?? 'block',
    entryOf: ({ origin }) => {
      const text = origin.column === undefined ? undefined : settingsText(origin.file);
      return text === undefined ? undefined : entryAt(text, origin);
    },
    ...findInstalled(locations, known),
  };
}
