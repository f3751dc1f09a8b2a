/** Returns true if a path is inside of a folder, or the folder itself. */

import { realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';

export function isInside(root: string, path: string): boolean {
  const way = relative(root, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

/** Returns the real path of a folder, even if it does not exist yet. */
export function physical(folder: string): string {
  try {
    return realpathSync.native(folder);
  } catch {
    const parent = dirname(folder);
    return parent === folder ? folder : join(physical(parent), basename(folder));
  }
}
