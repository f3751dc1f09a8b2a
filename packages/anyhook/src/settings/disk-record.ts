/**
 * What files and folders are like, so that a later look can tell whether all of it is as it was: by what the system says of a
 * file, not by its text.
 */
import fs from 'node:fs';
import { dirname } from 'node:path';

export interface DiskRecord {
  /** Is all of it as it was? */
  isSame(): boolean;
  readonly size: number;
}

/** `file`: whatever is there; `names`: of a folder, what lies in it. */
export type LookedAt = 'file' | 'names';
export const lookKey = (kind: LookedAt, path: string): string => `${kind} ${path}`;

/** Of what was looked at, by its key, as it was then. */
export function diskRecord(seen: ReadonlyMap<string, string>): DiskRecord {
  const marks = withoutLeaves(seen);
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

/** The clock of a file system ticks every few milliseconds: what is written twice within one looks the same. */
const TICK_MS = 20;
const isTooFresh = ({ ctimeMs }: fs.Stats): boolean => Date.now() - ctimeMs < TICK_MS;
let unique = 0;

const [lstat, list] = [fs.lstatSync, fs.readdirSync];
const [stat] = [fs.statSync];

/** Content, rights and owner of a file change one of these, whatever is done about its time; of a folder only its names count. */
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

/** Where a folder is missing, so is everything below it: one look is enough. */
function withoutLeaves(seen: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const marks = new Map<string, string>();
  for (const [key, mark] of seen) {
    const missing = mark === ABSENT ? `file ${topmostMissing(pathIn(key))}` : key;
    marks.set(missing, mark);
  }
  return marks;
}
/** The highest folder above a missing path that is missing too; the path itself where its parent exists. */
export function topmostMissing(path: string): string {
  const parent = dirname(path);
  return parent === path || diskMark(`file ${parent}`) !== ABSENT ? path : topmostMissing(parent);
}
const ABSENT = 'absent';

/** Missing files of one folder: as long as the folder itself is unchanged, none of them can have appeared. */
interface FolderLook {
  readonly folder: string;
  readonly isSame: () => boolean;
  /** What the folder was like when all of them were last seen to be missing; undefined: they are looked for again. */
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
/** Some file systems count in steps of two seconds: a folder that changed just now may change again unseen. */
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
