/** What the agent must leave alone: settings, guards, trust, journal. By name, whether they exist or not. */
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Dialect, Locations } from '../../canon/dialect.ts';
import type { Hook } from '../../canon/hook.ts';
import type { FoundModule } from '../../settings/module-files.ts';
import type { Folders } from '../folders.ts';
import { filesNamed } from '../scripts-named.ts';
import type { ExaminedEntry } from '../gate.ts';
import { knownAgents } from '../strangers.ts';
import { wrappedSettings } from './wrapped-settings.ts';
import type { JournalOptions } from '../options.ts';

export interface World {
  readonly locations: Locations;
  readonly folders: Folders;
  readonly journal: false | JournalOptions;
  readonly dialects: readonly Dialect[];
  readonly hooks: readonly Hook[];
  readonly modules: readonly FoundModule[];
  readonly examined: readonly ExaminedEntry[];
}
export interface GuardedPaths {
  /** With everything in them. */
  readonly folders: readonly string[];
  readonly files: readonly string[];
  /** With everything in them, but not from above: `rm -rf node_modules` is everyday work, and a bridge without us refuses. */
  readonly code: readonly string[];
}

export function guardedIn({
  locations,
  folders,
  journal,
  dialects,
  hooks,
  modules,
  examined,
}: World): GuardedPaths {
  const places = dialects.flatMap((dialect) =>
    dialect.config.places(locations).map(({ file }) => ({ file, dialect: dialect.name })),
  );
  const owned = places.filter(({ file, dialect }) =>
    [dialect, `.${dialect}`].includes(basename(dirname(file))),
  );
  const names = [...dialects.flatMap(({ projectVariable }) => projectVariable ?? []), 'PWD'];
  const agents = knownAgents(folders);
  return {
    folders: distinct([
      dirname(folders.trust),
      dirname(folders.journal),
      ...(journal !== false && journal.folder !== undefined ? [resolve(journal.folder)] : []),
      join(locations.cwd, '.anyhook'),
      ...(locations.managed === undefined ? [] : [locations.managed.folder]),
      ...owned.map(({ file }) => dirname(file)),
      ...agents.flatMap(({ guarded }) => guarded(locations)),
      ...lookedInto(dialects, locations),
      ...listedFor(dialects, locations),
    ]),
    files: distinct([
      ...places.map(({ file }) => file),
      ...(['user', 'project'] as const).flatMap((scope) =>
        agents.flatMap(({ bridge }) => bridge({ ...locations, scope }).map(({ file }) => file)),
      ),
      ...wrappedSettings(folders),
      ...modules.map(({ file }) => file),
      ...hooks.flatMap((hook) => filesNamed(hook, locations, names).map(({ path }) => path)),
      ...examined.flatMap(({ judgement }) =>
        judgement.trustedFiles.files.map(({ name }) => join(judgement.trustedFiles.project.root, name)),
      ),
    ]),
    code: [fileURLToPath(new URL('dist', packageRoot))],
  };
}

/** Folders of the person's own in which a dialect looks for code: whatever lies there runs, so no list can forget one. */
function lookedInto(dialects: readonly Dialect[], locations: Locations): string[] {
  const found: string[] = [];
  const list = (folder: string): readonly string[] => {
    found.push(resolve(folder));
    return [];
  };
  for (const { moduleFinder } of dialects) moduleFinder?.find({ ...locations, list }, []);
  const isOwn = (folder: string) =>
    folder.startsWith(`${locations.home}/`) && !`${locations.cwd}/`.startsWith(`${folder}/`);
  return found.filter((folder) => isOwn(folder) && !folder.startsWith(`${locations.cwd}/`));
}

/** Folders of which every file is a place: one that is not there yet would be one, too. */
function listedFor(dialects: readonly Dialect[], locations: Locations): string[] {
  const found: string[] = [];
  const list = (folder: string): readonly string[] => {
    found.push(resolve(folder));
    return [];
  };
  for (const { config } of dialects) config.places({ ...locations, list });
  return found.filter((folder) => !isAround(folder, locations.cwd) && !isAround(folder, locations.home));
}
const isAround = (folder: string, place: string): boolean => `${place}/`.startsWith(`${folder}/`);

/** Ours, wherever it was installed. */
const packageRoot = new URL('../../../', import.meta.url);

const distinct = (paths: readonly string[]): string[] => [...new Set(paths)];
