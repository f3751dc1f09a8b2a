/**
 * The folder whose hooks count: where we are, or the nearest folder above that has hooks of any dialect. It is looked for
 * up to the root of the repository, and never in the person's home or above it, whose files are nobody's project.
 */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DIALECTS } from '../../assemble.ts';
import type { Locations } from '../../canon/dialect.ts';
import { modulePlaces } from '../../dialects/anyhook/index.ts';
import { locationsOf } from '../../assembly/folders.ts';

type Exists = (path: string) => boolean;

export function projectRoot(locations: Required<Locations>, exists: Exists = existsSync): string {
  for (let folder = locations.cwd; ; folder = dirname(folder)) {
    const isEnd = folder === locations.home || folder === dirname(folder);
    if (isEnd && folder !== locations.cwd) return locations.cwd;
    if (hasHooks({ ...locations, cwd: folder }, exists)) return folder;
    // In a worktree it is a file.
    if (isEnd || exists(join(folder, '.git'))) return locations.cwd;
  }
}

/** Where to look for the hooks of whoever is in that folder. */
export function projectGround(options: Parameters<typeof locationsOf>[0]): Required<Locations> {
  const locations = locationsOf(options);
  return { ...locations, cwd: projectRoot(locations) };
}

function hasHooks(locations: Required<Locations>, exists: Exists): boolean {
  return (
    DIALECTS.some(({ config }) =>
      config.places(locations).some(({ layer, file }) => layer === 'project' && exists(file)),
    ) ||
    modulePlaces(locations).some(
      ({ layer, folder, endings }) =>
        layer === 'project' &&
        locations.list(folder).some((name) => endings.some((ending) => name.endsWith(ending))),
    ) ||
    DIALECTS.some(({ moduleFinder }) =>
      moduleFinder?.find(locations, []).modules.some(({ layer }) => layer === 'project'),
    )
  );
}
