/** Settings for terminal output: width, colours, and the folders that paths are relative to. */

import { relative, sep } from 'node:path';
import type { Paint } from './paint.ts';
import { safe } from './safe.ts';

export interface Screen {
  readonly paint: Paint;
  readonly width: number;
  readonly cwd: string;
  readonly home: string;
}

/** Shortens a path: relative to the project or to home, otherwise absolute. */
export function shortPath(path: string, { cwd, home }: Pick<Screen, 'cwd' | 'home'>): string {
  const from = (folder: string) => {
    const way = relative(folder, path);
    return way === '' || way === '..' || way.startsWith(`..${sep}`) || way === path ? undefined : way;
  };
  if (!path.startsWith(sep)) return safe(path);
  const inProject = from(cwd);
  if (inProject !== undefined) return safe(inProject);
  const inHome = from(home);
  return safe(inHome === undefined ? path : `~${sep}${inHome}`);
}
