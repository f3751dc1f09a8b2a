/** Recognizes a guarded path under any name: by its spelling, by where links lead, and by its inode. */

import { readdirSync, statSync, type Stats } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { GuardedTree, type Touch } from './guarded-tree.ts';
import type { GuardedPaths } from './guarded.ts';
import { statsAt, physicalPath, type PhysicalPlace, physicalPlace, physicalPlaces } from './physical.ts';

export interface Identity {
  readonly tree: GuardedTree;
  /** For one tool call. It looks up each folder on the way to a path once. */
  look(): FileIdentity;
}
export interface FileIdentity {
  /** A relative path starts in `cwd`. A path that cannot be looked up counts as guarded. */
  touches(path: string, cwd: string): Touch | undefined;
  /** Where a folder is after following links; its spelling if that is unknown. */
  really(folder: string): string;
}

export function makeIdentity(guarded: GuardedPaths): Identity {
  const tree = new GuardedTree(guarded);
  let inodes: GuardedInodes | undefined;
  const guardedInodes = () => (inodes ??= inodesOf(guarded));
  return {
    tree,
    look() {
      const places = new Map<string, PhysicalPlace>();
      const folders = new Map<string, LookedUpFolder>();
      const placeOf = (folder: string): PhysicalPlace => {
        let place = places.get(folder);
        if (place === undefined) places.set(folder, (place = physicalPlace(folder)));
        return place;
      };
      const lookUp = (folder: string): LookedUpFolder => {
        let found = folders.get(folder);
        if (found === undefined)
          folders.set(folder, (found = lookUpFolder(placeOf(folder), guardedInodes())));
        return found;
      };
      return {
        really: (folder) => {
          try {
            return placeOf(folder).place;
          } catch {
            return folder; // a loop of links, or a folder that may not be read
          }
        },
        touches(path, cwd) {
          if (BELOW_A_DESCRIPTOR.test(path)) return 'inside';
          const absolute = resolve(cwd, path.replace(/^\/proc\/(?:self|thread-self|\d+)\/cwd(?=\/|$)/, cwd));
          const touch = tree.touch(absolute);
          if (touch !== undefined) return touch;
          try {
            return touchOnDisk(absolute, lookUp(dirname(absolute)), guardedInodes(), guarded);
          } catch {
            return 'inside'; // it cannot be looked up, so it may be guarded
          }
        },
      };
    },
  };
}

/** `exec 3<x; rm /proc/self/fd/3/y`: only run time knows the folder behind a descriptor. */
export const BELOW_A_DESCRIPTOR = /^\/+(?:proc\/+[^/]+|dev)\/+fd\/+\d+\/+[^/]/;

interface GuardedInodes {
  /** The guarded paths after following links. */
  readonly tree: GuardedTree;
  readonly folders: ReadonlySet<string>;
}
function inodesOf(guarded: GuardedPaths): GuardedInodes {
  const placeOf = physicalPlaces();
  const followed = (paths: readonly string[]) => paths.map((path) => placeOf(path).place);
  const exists = (path: string) => placeOf(path).place === placeOf(path).there;
  return {
    tree: new GuardedTree({
      folders: followed(guarded.folders),
      files: followed(guarded.files),
      code: followed(guarded.code),
    }),
    folders: new Set(
      [...guarded.folders, ...guarded.code].filter(exists).flatMap((path) => inodeAt(path) ?? []),
    ),
  };
}

interface LookedUpFolder {
  readonly place: string;
  readonly exists: boolean;
  /** It is a guarded folder, or lies in one, under another name: a mount, or another spelling. */
  readonly isGuarded: boolean;
}
function lookUpFolder({ place, there }: PhysicalPlace, { folders }: GuardedInodes): LookedUpFolder {
  const exists = place === there;
  for (let at = there; at !== dirname(at); at = dirname(at)) {
    const inode = inodeAt(at);
    if (inode !== undefined && folders.has(inode)) return { place, exists, isGuarded: true };
  }
  return { place, exists, isGuarded: false };
}

function touchOnDisk(
  path: string,
  parent: LookedUpFolder,
  inodes: GuardedInodes,
  guarded: GuardedPaths,
): Touch | undefined {
  if (parent.isGuarded) return 'inside';
  const place = join(parent.place, basename(path));
  const status = parent.exists ? statsAt(place) : undefined;
  if (status?.isSymbolicLink() === true) {
    const target = physicalPath(place);
    const touch =
      inodes.tree.touch(target) ??
      (lookUpFolder(physicalPlace(target), inodes).isGuarded ? 'inside' : undefined);
    const linked = statSync(target, { throwIfNoEntry: false });
    return touch ?? (linked !== undefined && isHardLink(linked, guarded) ? 'inside' : undefined);
  }
  const touch = inodes.tree.touch(place);
  if (touch !== undefined || status === undefined) return touch;
  return inodes.folders.has(inodeOf(status)) || isHardLink(status, guarded) ? 'inside' : undefined;
}

/** Whether this is another name of a guarded file. Most files have one name only, and need no search. */
function isHardLink(status: Stats, { files, folders }: GuardedPaths): boolean {
  if (!status.isFile() || status.nlink < 2) return false;
  const inode = inodeOf(status);
  return [...files, ...folders.flatMap((folder) => filesIn(folder, DEEPEST))].some(
    (file) => inodeAt(file) === inode,
  );
}

const DEEPEST = 12;
const MOST = 20_000;
function filesIn(folder: string, depth: number, found: string[] = []): string[] {
  if (depth === 0 || found.length > MOST) throw new RangeError(`${folder} holds too many files to search`);
  for (const entry of entriesOf(folder)) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) filesIn(path, depth - 1, found);
    else found.push(path);
  }
  return found;
}
function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return [];
    throw error;
  }
}

const inodeOf = ({ dev, ino }: Stats): string => `${dev}:${ino}`;
function inodeAt(path: string): string | undefined {
  const status = statSync(path, { throwIfNoEntry: false });
  return status === undefined ? undefined : inodeOf(status);
}
