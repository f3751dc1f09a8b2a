import { lstatSync, readlinkSync, type Stats } from 'node:fs';
import { basename, dirname, join, parse, resolve, sep } from 'node:path';

export interface PhysicalPlace {
  readonly place: string;
  /** As much of it as is there. */
  readonly there: string;
}

/** Where a path leads, also one that does not exist yet, and also through a link that leads nowhere yet. */
export const physicalPath = (path: string): string => physicalPlace(path).place;

/** Walked from the root, so that a text of a thousand slashes costs what of it is there. */
export function physicalPlace(path: string, links = 40): PhysicalPlace {
  const { root } = parse(path);
  const names = path
    .slice(root.length)
    .split(sep)
    .filter((name) => name !== '');
  let there = root;
  for (const [at, name] of names.entries()) {
    const next = join(there, name);
    const entry = statsAt(next);
    const rest = names.slice(at + 1);
    if (entry === undefined) return { place: join(next, ...rest), there };
    if (entry.isSymbolicLink()) {
      if (links === 0) throw new RangeError(`${path} leads in circles`);
      return physicalPlace(join(resolve(dirname(next), readlinkSync(next)), ...rest), links - 1);
    }
    there = next;
  }
  return { place: there, there };
}

/** What is there itself, a link not followed. A name that is too long for the file system is not there. */
export function statsAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENAMETOOLONG' && Buffer.byteLength(basename(path)) > LONGEST_NAME) return undefined;
    throw error;
  }
}
const LONGEST_NAME = 255;
