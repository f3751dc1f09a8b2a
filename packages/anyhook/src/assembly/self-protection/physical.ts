import { lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

/** Where a path leads, also one that does not exist yet, and also through a link that leads nowhere yet. */
export function physicalPath(path: string, links = 40): string {
  try {
    return realpathSync.native(path);
  } catch (error) {
    if (!isAbsent(error)) throw error;
  }
  const parent = dirname(path);
  if (parent === path) return path;
  const place = join(physicalPath(parent, links), basename(path));
  if (lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return place;
  if (links === 0) throw new RangeError(`${path} leads in circles`);
  return physicalPath(resolve(dirname(place), readlinkSync(place)), links - 1);
}

export const isAbsent = (error: unknown): boolean =>
  ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '');
