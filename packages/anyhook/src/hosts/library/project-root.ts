/**
 * The folder whose hooks count: where we are, or the nearest folder above that has hooks of any dialect. It is looked for
 * up to the root of the repository, and never in the person's home or above it, whose files are nobody's project.
 */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DIALECTS } from '../../assemble.ts';
import type { Ground } from '../../canon/dialect.ts';
import { modulePlaces } from '../../dialects/anyhook/index.ts';
import { groundOf } from '../../assembly/folders.ts';

type Exists = (path: string) => boolean;

export function projectRoot(ground: Required<Ground>, exists: Exists = existsSync): string {
  for (let folder = ground.cwd; ; folder = dirname(folder)) {
    const isEnd = folder === ground.home || folder === dirname(folder);
    if (isEnd && folder !== ground.cwd) return ground.cwd;
    if (hasHooks({ ...ground, cwd: folder }, exists)) return folder;
    // In a worktree it is a file.
    if (isEnd || exists(join(folder, '.git'))) return ground.cwd;
  }
}

/** Where to look for the hooks of whoever is in that folder. */
export function projectGround(options: Parameters<typeof groundOf>[0]): Required<Ground> {
  const ground = groundOf(options);
  return { ...ground, cwd: projectRoot(ground) };
}

function hasHooks(ground: Required<Ground>, exists: Exists): boolean {
  return (
    DIALECTS.some(({ config }) =>
      config.places(ground).some(({ layer, file }) => layer === 'project' && exists(file)),
    ) ||
    modulePlaces(ground).some(
      ({ layer, folder, endings }) =>
        layer === 'project' &&
        ground.list(folder).some((name) => endings.some((ending) => name.endsWith(ending))),
    ) ||
    DIALECTS.some(({ moduleFinder }) =>
      moduleFinder?.find(ground, []).modules.some(({ layer }) => layer === 'project'),
    )
  );
}
