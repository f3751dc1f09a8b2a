import { lstatSync, readlinkSync, type Stats } from 'node:fs';
import { basename, dirname, join, parse, resolve, sep } from 'node:path';

export interface PhysicalPlace {
  readonly place: string;
  /** The part of the path that exists. */
  readonly there: string;
}

/** The path after following links. The path, and the targets of its links, need not exist. */
export const physicalPath = (path: string): string => physicalPlace(path).place;

/** Walks from the root, so the cost of a long path is limited by the part that exists. */
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

/** The same for many paths, with a cache of the folders on the way. */
export function physicalPlaces(): (path: string) => PhysicalPlace {
  const known = new Map<string, PhysicalPlace>();
  const placeOf = (path: string): PhysicalPlace => {
    let found = known.get(path);
    if (found === undefined) known.set(path, (found = find(path)));
    return found;
  };
  function find(path: string): PhysicalPlace {
    const folder = dirname(path);
    if (folder === path) return { place: path, there: path };
    const above = placeOf(folder);
    const place = join(above.place, basename(path));
    if (above.place !== above.there) return { place, there: above.there };
    const entry = statsAt(place);
    if (entry === undefined) return { place, there: above.place };
    return entry.isSymbolicLink() ? physicalPlace(place) : { place, there: place };
  }
  return (path) => (resolve(path) === path ? placeOf(path) : physicalPlace(path));
}

/** The status of a path, without following a link. A name that is too long for the file system does not exist. */
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
