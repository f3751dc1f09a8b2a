/** The paths that an agent must not change: settings, guards, trust and journal, whether they exist or not. */

import { readdirSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { clientFolder } from '../agents/shared/client-command.ts';
import type { Dialect, Locations } from '../events/dialect.ts';
import type { Hook } from '../events/hook.ts';
import { acceptedHomesFolder } from '../gather/accepted-homes.ts';
import type { Folders } from '../gather/folders.ts';
import type { ExaminedEntry } from '../gather/gate.ts';
import { knownAgents } from '../gather/known-agents.ts';
import { systemHome } from '../gather/moved.ts';
import { oneLook } from '../gather/one-look.ts';
import type { JournalOptions } from '../gather/options.ts';
import type { FoundModule } from '../settings/module-files.ts';
import { textOfFile } from '../settings/read-file.ts';
import { filesNamed } from './made-of/scripts-named.ts';
import { packageCode } from './own-package.ts';

export interface World {
  readonly locations: Required<Locations>;
  readonly folders: Folders;
  readonly journal: false | JournalOptions;
  readonly dialects: readonly Dialect[];
  readonly hooks: readonly Hook[];
  readonly modules: readonly FoundModule[];
  readonly examined: readonly ExaminedEntry[];
  /** The paths of our own program. Default: where it is installed. */
  readonly code?: readonly string[];
}
export interface GuardedPaths {
  /** Guarded with everything in them. */
  readonly folders: readonly string[];
  readonly files: readonly string[];
  /** Guarded with everything in them, but deleting a folder above is allowed: `rm -rf node_modules` is everyday work. */
  readonly code: readonly string[];
}

export function guardedIn({
  locations: around,
  folders,
  journal,
  dialects,
  hooks,
  modules,
  examined,
  code = packageCode(),
}: World): GuardedPaths {
  const locations = { ...around, ...oneLook(around).places };
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
      folders.config,
      folders.data,
      ...acceptances(folders),
      dirname(folders.journal),
      clientFolder({ home: locations.home }),
      ...(journal !== false && journal.folder !== undefined ? [resolve(journal.folder)] : []),
      join(locations.cwd, '.anyhook'),
      ...(locations.managed === undefined ? [] : [locations.managed.folder]),
      ...owned.map(({ file }) => dirname(file)),
      ...agents.flatMap(({ guarded }) => guarded(locations)),
      ...moduleFolders(dialects, locations),
      ...settingsFolders(dialects, locations),
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
    code,
  };
}

/** Usually inside the data folder. Elsewhere if HOME is not the home folder of the user account. */
function acceptances({ data }: Folders): string[] {
  const accountHome = systemHome();
  if (accountHome === undefined) return [];
  const folder = acceptedHomesFolder(accountHome);
  return isAround(data, folder) ? [] : [folder];
}

/** The user's own folders in which a dialect finds modules. Every file there runs, so the whole folder is guarded. */
const moduleFolders = (dialects: readonly Dialect[], locations: Locations): string[] =>
  foldersListed(locations, (here) => {
    for (const { moduleFinder } of dialects) moduleFinder?.find(here, []);
  }).filter(
    (folder) =>
      isAround(locations.home, folder) &&
      folder !== locations.home &&
      !isAround(folder, locations.cwd) &&
      !isAround(locations.cwd, folder),
  );

/** Folders in which every file, also a new one, contains settings. */
const settingsFolders = (dialects: readonly Dialect[], locations: Locations): string[] =>
  foldersListed(locations, (here) => {
    for (const { config } of dialects) config.places(here);
  }).filter((folder) => !isAround(folder, locations.cwd) && !isAround(folder, locations.home));

/** The folders that `look` lists. It finds all of them empty. */
function foldersListed(locations: Locations, look: (here: Locations) => void): string[] {
  const found: string[] = [];
  look({ ...locations, list: (folder) => (found.push(resolve(folder)), []) });
  return found;
}
/** Whether a folder is this path or contains it. */
const isAround = (folder: string, place: string): boolean => `${place}/`.startsWith(`${folder}/`);

const distinct = (paths: readonly string[]): string[] => [...new Set(paths)];

/** Settings files in which `install --mcp` wrapped servers with the proxy. An edit there could remove it. */
export function wrappedSettings({ data }: Pick<Folders, 'data'>): readonly string[] {
  const records = join(data, 'installs');
  try {
    return readdirSync(records)
      .filter((name) => /-mcp-[0-9a-f]+\.json$/.test(name))
      .flatMap((name) => pathsIn(join(records, name)));
  } catch {
    return []; // nothing was installed
  }
}

function pathsIn(record: string): readonly string[] {
  try {
    const { files } = JSON.parse(textOfFile(record) ?? '') as { files: readonly { path: string }[] };
    return files.map(({ path }) => path);
  } catch {
    return []; // no record of ours
  }
}
