/**
 * Remembers the state of files and folders, and detects later changes by file status, without reading
 * content.
 */

import fs from 'node:fs';
import { dirname } from 'node:path';

export interface DiskRecord {
  /** Returns true if nothing has changed. */
  isSame(): boolean;
  readonly size: number;
}

/** `file`: any path; `names`: the names in a folder. */
export type LookedAt = 'file' | 'names';
export const lookKey = (kind: LookedAt, path: string): string => `${kind} ${path}`;

/** Builds a record from the marks, by key, that were taken earlier. */
export function diskRecord(recorded: ReadonlyMap<string, string>): DiskRecord {
  const marks = withoutLeaves(recorded);
  const present = [...marks].filter(([, mark]) => mark !== ABSENT);
  const there = present.filter(([key]) => !isList(key));
  const lists = present
    .filter(([key]) => isList(key))
    .map(([key, mark]): FolderLook => ({ folder: pathIn(key), isSame: () => diskMark(key) === mark }));
  const folders = [...lists, ...foldersOf([...marks.keys()].filter((key) => marks.get(key) === ABSENT))];
  return {
    size: marks.size,
    isSame: () => there.every(([key, mark]) => diskMark(key) === mark) && folders.every(isFolderSame),
  };
}

/** File system clocks tick every few milliseconds. Two writes within one tick look the same. */
const TICK_MS = 20;
const isTooFresh = ({ ctimeMs }: fs.Stats): boolean => Date.now() - ctimeMs < TICK_MS;
let unique = 0;

const [lstat, list] = [fs.lstatSync, fs.readdirSync];
const [stat] = [fs.statSync];

/**
 * A change of content, permissions or owner changes at least one of these values, even if the modification
 * time is forged. For a folder, only its names count.
 */
export function diskMark(key: string): string {
  const path = pathIn(key);
  try {
    if (isList(key)) return list(path).toSorted().join('\0');
    const link = lstat(path, { throwIfNoEntry: false });
    if (link === undefined) return ABSENT;
    const it = link.isSymbolicLink() ? stat(path, { throwIfNoEntry: false }) : link;
    if (it === undefined) return `to nothing ${link.ino}`;
    if (it.isDirectory()) return `folder ${it.dev} ${it.ino} ${it.mode} ${it.uid} ${link.ino}`;
    if (isTooFresh(it)) return `written just now ${unique++}`;
    return `${it.dev} ${it.ino} ${it.mode} ${it.uid} ${it.size} ${it.mtimeMs} ${it.ctimeMs} ${link.ino}`;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' || code === 'ENOTDIR' ? ABSENT : `(${code})`;
  }
}

/** If a folder is missing, everything below it is missing too, so one check is enough. */
function withoutLeaves(recorded: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const marks = new Map<string, string>();
  for (const [key, mark] of recorded) {
    const missing = mark === ABSENT ? `file ${topmostMissing(pathIn(key))}` : key;
    marks.set(missing, mark);
  }
  return marks;
}
/** Returns the highest missing folder above a missing path, or the path itself if its parent exists. */
export function topmostMissing(path: string): string {
  const parent = dirname(path);
  return parent === path || diskMark(`file ${parent}`) !== ABSENT ? path : topmostMissing(parent);
}
const ABSENT = 'absent';

/** Missing files of one folder. While the folder is unchanged, none of them can have appeared. */
interface FolderLook {
  readonly folder: string;
  readonly isSame: () => boolean;
  /** State of the folder when all of them were last missing. Undefined: check them again. */
  version?: string | undefined;
}
const foldersOf = (missing: readonly string[]): FolderLook[] =>
  [...new Set(missing.map((key) => dirname(pathIn(key))))].map((folder) => {
    const keys = missing.filter((key) => dirname(pathIn(key)) === folder);
    return { folder, isSame: () => keys.every((key) => diskMark(key) === ABSENT) };
  });
function isFolderSame(look: FolderLook): boolean {
  const now = versionOf(look.folder);
  if (now !== undefined && now === look.version) return true;
  if (!look.isSame()) return false;
  look.version = now;
  return true;
}
/**
 * Some file systems have a time resolution of two seconds, so a folder that has just changed may change again
 * unnoticed.
 */
const COARSEST_TICK_MS = 2500;
function versionOf(folder: string): string | undefined {
  try {
    const { dev, ino, mtimeMs, ctimeMs } = stat(folder);
    if (Date.now() - Math.max(mtimeMs, ctimeMs) < COARSEST_TICK_MS) return undefined;
    return `${dev} ${ino} ${mtimeMs} ${ctimeMs}`;
  } catch {
    return undefined;
  }
}
const isList = (key: string): boolean => key.startsWith('names ');
const pathIn = (key: string): string => key.slice(key.indexOf(' ') + 1);
