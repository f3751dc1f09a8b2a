/**
 * Decides which hooks an agent runs by itself. A hook is left to the agent only if the agent is known to run it in this folder:
 * a guard may run twice, but never zero times.
 */

import { AGENTS } from '../agents/index.ts';
import { isOurHandler } from '../agents/ours.ts';
import { ownHooksOf } from '../agents/own-hooks.ts';
import type { Agent } from '../agents/shared/agent.ts';
import type { EntryPlace } from '../agents/shared/hook-trust.ts';
import { findDialect } from '../dialects.ts';
import type { Locations, Place } from '../events/dialect.ts';
import { readDocument } from '../events/document.ts';
import { isFields } from '../events/fields.ts';
import { foldersOf } from '../gather/folders.ts';
import { knownAgent } from '../gather/known-agents.ts';
import { rootOf as physicalPath } from '../settings/trusted-guards.ts';
import { projectRoot } from './project-root.ts';

/** Returns entries for `settings.without`. `locations.cwd` is the folder of the agent's session. */
export function leftToHost(host: string, locations: Required<Locations>): readonly string[] {
  const agent = knownAgent(host, () => foldersOf(locations));
  return agent === undefined ? ownHooksOf(host) : leftToAgent(agent, locations);
}

export function leftToAgent(agent: Agent, locations: Required<Locations>): readonly string[] {
  const runsProject = runsProjectHooks(agent, locations);
  if (runsProject && agent.trust === null) return agent.ownHooks;
  return agent.ownHooks.flatMap((own) => leftFiles(own, agent, { locations, runsProject }));
}

function runsProjectHooks({ projectHooks }: Agent, locations: Required<Locations>): boolean {
  const { home, env, cwd, read } = locations;
  const root = projectRoot(locations);
  // We also find hooks in folders above the session's. Whether the agent does is unknown.
  if (root !== cwd) return false;
  if (typeof projectHooks === 'string') return projectHooks === 'always';
  const agentHome = { home, env, read };
  return [...new Set([root, physicalPath(root)])].some((folder) => projectHooks.isTrusted(folder, agentHome));
}

function leftFiles(
  own: string,
  agent: Agent,
  { locations, runsProject }: { readonly locations: Required<Locations>; readonly runsProject: boolean },
): string[] {
  const [name, part = ''] = own.split('@') as [string, string?];
  const { config, moduleFinder } = findDialect(name)!;
  const places = config
    .places({ ...locations, cwd: projectRoot(locations) })
    .filter(({ file, layer }) => file.includes(part) && (layer !== 'project' || runsProject))
    .filter((place) => isRunBy(agent, place, locations));
  // Module folders: the path below the home folder is the same as below the project.
  const users = part === '' ? [] : [`${name}@${locations.home}${part}`];
  const modules = moduleFinder === undefined ? [] : runsProject ? [own] : users;
  return [...places.map(({ file }) => `${name}@${file}`), ...modules];
}

/** False if the agent waits for its user to approve a hook in the file. */
function isRunBy({ trust }: Agent, { file, layer }: Place, locations: Required<Locations>): boolean {
  if (trust === null) return true;
  const text = locations.read(file);
  if (text === undefined) return true;
  const scope = layer === 'project' ? 'project' : 'user';
  const where = { ...locations, scope } as const;
  const entries = entriesIn(text, file);
  const skipped = trust.skipped(
    { where, path: physicalPath(file), entries },
    locations.read(trust.file(where)) ?? '',
  );
  return skipped.every(({ isOff }) => isOff === true);
}

/** One line per bridge that an agent skips because its file has moved since it was trusted. */
export function movedBridges(locations: Required<Locations>): string[] {
  return Object.values<Agent>(AGENTS).flatMap(({ trust, bridge, name, shown }) => {
    const where = { ...locations, scope: 'user' } as const;
    const { file } = bridge(where).at(-1)!; // the bridge that starts us
    const text = trust === null ? undefined : locations.read(file);
    if (trust === null || text === undefined) return [];
    const entries = entriesIn(text, file).filter(({ handler }) => isOurHandler(name)(handler));
    const skipped = trust.skipped(
      { where, path: physicalPath(file), entries },
      locations.read(trust.file(where)) ?? '',
    );
    const moved = skipped.find(({ movedFrom }) => movedFrom !== undefined);
    return moved === undefined
      ? []
      : [
          `anyhook: ${shown} skips the bridge, so no hook of anyhook runs there: ${moved.why}. ${trust.remedy}`,
        ];
  });
}

function entriesIn(text: string, file: string): EntryPlace[] {
  const document = readDocument(text, file).value;
  const hooks = isFields(document) && isFields(document['hooks']) ? document['hooks'] : {};
  return Object.entries(hooks).flatMap(([word, groups]) =>
    listOf(groups).flatMap((group, nth) =>
      listOf(isFields(group) ? group['hooks'] : []).flatMap((handler, at) =>
        isFields(handler) ? { word, group: nth, at, handler, ...matcherOf(group) } : [],
      ),
    ),
  );
}
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const matcherOf = (group: unknown): { readonly matcher?: unknown } =>
  isFields(group) && group['matcher'] !== undefined ? { matcher: group['matcher'] } : {};
