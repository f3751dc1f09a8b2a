/** Is this path one of the guarded ones, by whatever name? By spelling, by where it leads, and by what it is. */
import { readdirSync, statSync, type Stats } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { fold } from './fold.ts';
import type { GuardedPaths } from './guarded.ts';
import { statsAt, physicalPath, type PhysicalPlace, physicalPlace, physicalPlaces } from './physical.ts';

/** `inside`: it is guarded itself. `above`: something guarded lies below it. */
export type Touch = 'inside' | 'above';
export interface FoldedNames {
  readonly folders: readonly string[];
  readonly files: readonly string[];
  readonly code: readonly string[];
}
export interface Identity {
  /** The guarded paths, for comparing. */
  readonly names: FoldedNames;
  /** For one call: what it finds out about folders on the way is not found out again. */
  look(): FileIdentity;
}
export interface FileIdentity {
  /** A relative path is looked up in `cwd`. What cannot be made out counts as guarded. */
  touches(path: string, cwd: string): Touch | undefined;
  /** Where a folder really is; as it is spelled where that cannot be made out. */
  really(folder: string): string;
}

export function makeIdentity(guarded: GuardedPaths): Identity {
  const names = foldedNames(guarded, fold);
  let known: GuardedIdentities | undefined;
  return {
    names,
    look() {
      const places = new Map<string, PhysicalPlace>();
      const walked = new Map<string, FolderOnTheWay>();
      const placeOf = (folder: string): PhysicalPlace => {
        let found = places.get(folder);
        if (found === undefined) places.set(folder, (found = physicalPlace(folder)));
        return found;
      };
      const walk = (folder: string): FolderOnTheWay => {
        let found = walked.get(folder);
        if (found === undefined)
          walked.set(folder, (found = walkedTo(placeOf(folder), (known ??= knownOf(guarded)))));
        return found;
      };
      return {
        really: (folder) => attempt(() => placeOf(folder).place) ?? folder,
        touches(path, cwd) {
          if (BELOW_A_DESCRIPTOR.test(path)) return 'inside';
          const spelled = resolve(cwd, path.replace(/^\/proc\/(?:self|thread-self|\d+)\/cwd(?=\/|$)/, cwd));
          const touch = spelling(fold(spelled), names);
          if (touch !== undefined) return touch;
          try {
            return beneath(spelled, walk(dirname(spelled)), (known ??= knownOf(guarded)), guarded);
          } catch {
            return 'inside';
          }
        },
      };
    },
  };
}

/** `exec 3<x; rm /proc/self/fd/3/y`: which folder that is, nobody knows before. */
export const BELOW_A_DESCRIPTOR = /^\/+(?:proc\/+[^/]+|dev)\/+fd\/+\d+\/+[^/]/;

const foldedNames = (
  { folders, files, code }: GuardedPaths,
  said: (path: string) => string,
): FoldedNames => ({
  folders: folders.map(said),
  files: files.map(said),
  code: code.map(said),
});

function spelling(path: string, { folders, files, code }: FoldedNames): Touch | undefined {
  const isAt = (folder: string) =>
    path.startsWith(folder) && (path.length === folder.length || path[folder.length] === '/');
  if (folders.some(isAt) || code.some(isAt) || files.includes(path)) return 'inside';
  const below = path.endsWith('/') ? path : `${path}/`;
  return folders.some((one) => one.startsWith(below)) || files.some((one) => one.startsWith(below))
    ? 'above'
    : undefined;
}

interface GuardedIdentities {
  /** Where the guarded paths really are. */
  readonly names: FoldedNames;
  readonly folders: ReadonlySet<string>;
}
function knownOf(guarded: GuardedPaths): GuardedIdentities {
  const placeOf = physicalPlaces();
  const isThere = (path: string) => placeOf(path).place === placeOf(path).there;
  return {
    names: foldedNames(guarded, (path) => fold(placeOf(path).place)),
    folders: new Set(
      [...guarded.folders, ...guarded.code].filter(isThere).flatMap((path) => idAt(path) ?? []),
    ),
  };
}

/** A folder on the way, and whether it is a guarded one under another name: mounted elsewhere, spelled otherwise. */
interface FolderOnTheWay {
  readonly place: string;
  readonly isThere: boolean;
  readonly isKnown: boolean;
}
function walkedTo({ place, there }: PhysicalPlace, { folders }: GuardedIdentities): FolderOnTheWay {
  const isThere = place === there;
  for (let at = there; at !== dirname(at); at = dirname(at)) {
    const id = idAt(at);
    if (id !== undefined && folders.has(id)) return { place, isThere, isKnown: true };
  }
  return { place, isThere, isKnown: false };
}

function beneath(
  spelled: string,
  parent: FolderOnTheWay,
  known: GuardedIdentities,
  guarded: GuardedPaths,
): Touch | undefined {
  if (parent.isKnown) return 'inside';
  const place = join(parent.place, basename(spelled));
  const status = parent.isThere ? statsAt(place) : undefined;
  if (status?.isSymbolicLink() === true) {
    const target = physicalPath(place);
    const leads =
      spelling(fold(target), known.names) ??
      (walkedTo(physicalPlace(target), known).isKnown ? 'inside' : undefined);
    const linked = statSync(target, { throwIfNoEntry: false });
    return leads ?? (linked !== undefined && isHardLink(linked, guarded) ? 'inside' : undefined);
  }
  const touch = spelling(fold(place), known.names);
  if (touch !== undefined || status === undefined) return touch;
  return known.folders.has(idOf(status)) || isHardLink(status, guarded) ? 'inside' : undefined;
}

/** Another name of a guarded file. Most files have one name only, and need no search. */
function isHardLink(status: Stats, { files, folders }: GuardedPaths): boolean {
  if (!status.isFile() || status.nlink < 2) return false;
  const id = idOf(status);
  return [...files, ...folders.flatMap((folder) => filesIn(folder, DEEPEST))].some(
    (file) => idAt(file) === id,
  );
}

const DEEPEST = 12;
const MOST = 20_000;
function filesIn(folder: string, depth: number, found: string[] = []): string[] {
  if (depth === 0 || found.length > MOST) throw new RangeError(`${folder} holds too much to look through`);
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

const idOf = ({ dev, ino }: Stats): string => `${dev}:${ino}`;
function idAt(path: string): string | undefined {
  const status = statSync(path, { throwIfNoEntry: false });
  return status === undefined ? undefined : idOf(status);
}
function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
