/**
 * Finds the project folder: the working folder or the nearest folder above with hooks of any dialect. The search ends
 * at the repository root. It never includes the user's home, folders above it, or folders that all users can write.
 */

import { existsSync, statSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { anyhook, modulePlaces } from '../agents/anyhook/dialect/index.ts';
import type { Dialect, Locations, Place } from '../events/dialect.ts';
import { readEventWord } from '../events/native-names.ts';
import { readSettingsFile, type SettingsFileRead } from '../settings/read-file.ts';

/** Disk access for the search, replaceable by a cached version. */
export interface ProjectLook {
  isThere(path: string): boolean;
  read(file: string): SettingsFileRead;
}
const DISK: ProjectLook = { isThere: existsSync, read: readSettingsFile };

export function nearestProject(
  dialects: readonly Dialect[],
  locations: Required<Locations>,
  look: ProjectLook = DISK,
): string {
  for (let folder = locations.cwd; ; folder = dirname(folder)) {
    const isEnd = folder === locations.home || folder === dirname(folder);
    if (folder !== locations.cwd && (isEnd || isOpenToAll(folder))) return locations.cwd;
    if (hasHooks(dialects, { ...locations, cwd: folder }, look)) return folder;
    // In a worktree `.git` is a file.
    if (isEnd || look.isThere(join(folder, '.git'))) return locations.cwd;
  }
}

function isOpenToAll(folder: string): boolean {
  try {
    return (statSync(folder).mode & 0o002) !== 0;
  } catch {
    return true;
  }
}

function hasHooks(dialects: readonly Dialect[], locations: Required<Locations>, look: ProjectLook): boolean {
  const isProjects = ({ layer }: { readonly layer: string }) => layer === 'project';
  // Plugin code below a folder does not make it a project. Settings that reference a plugin do.
  const isAsked = ({ plugin }: Place, all: readonly Place[]) =>
    plugin?.asker === undefined || all.some((one) => isProjects(one) && one.file === plugin.asker);
  return dialects.some(
    (dialect) =>
      dialect.config
        .places(locations)
        .some((place, _, all) => isProjects(place) && isAsked(place, all) && holds(dialect, place)) ||
      hasModules(dialect),
  );

  /** A file that cannot be read may contain a guard, so it counts as settings and is reported as broken. */
  function holds(dialect: Dialect, place: Place): boolean {
    const found = look.read(place.file);
    if (found.kind !== 'text') return found.kind === 'problem';
    const { hooks, modules, problems } = dialect.config.read(found.text, place, (word) =>
      readEventWord(word, dialects),
    );
    return hooks.length + modules.length > 0 || problems.some(({ severity }) => severity === 'error');
  }
  function hasModules({ name, moduleFinder }: Dialect): boolean {
    const { modules = [], scripts = [], problems = [] } = moduleFinder?.find(locations, []) ?? {};
    return (
      [...modules, ...scripts.map(({ origin }) => origin)].some(isProjects) ||
      problems.some(({ file }) => file.startsWith(locations.cwd + sep)) ||
      (name === anyhook.name &&
        modulePlaces(locations).some(
          (place) =>
            isProjects(place) &&
            locations
              .list(place.folder)
              .some((file) => place.endings.some((ending) => file.endsWith(ending))),
        ))
    );
  }
}
