/**
 * Writes a plan to the disk. Files are written beside their place and renamed. What must go is removed first, then folders are made,
 * then files written, so a process that is killed leaves a state from which the same plan continues. No symbolic link is followed.
 */

import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  constants,
  fchmodSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { diskPath, folderOf, shownPath } from './byte-path.ts';
import { RESTORING } from './scan.ts';
import type { PathState } from './tree.ts';

/** One path and what it becomes. */
export interface RestoreItem {
  readonly root: string;
  readonly path: string;
  readonly now: PathState;
  readonly wanted: PathState;
  /** Content that is in no object: the result of a merge. */
  readonly content?: Buffer;
}

export interface RestoreFailure {
  readonly path: string;
  readonly why: string;
}

const OWNER_WRITES = 0o300;

export class Restore {
  readonly #read: (hash: string) => Buffer;
  /** Folders that had to be made writable, with their modes. */
  readonly #opened = new Map<string, number>();
  readonly failures: RestoreFailure[] = [];

  constructor(read: (hash: string) => Buffer) {
    this.#read = read;
  }

  run(items: readonly RestoreItem[]): void {
    const byDepth = items.toSorted((a, b) => (a.path < b.path ? -1 : 1));
    const deepestFirst = byDepth.toReversed();
    for (const item of deepestFirst) if (mustGo(item) && item.now?.kind !== 'folder') this.#try(item, remove);
    for (const item of deepestFirst)
      if (mustGo(item) && item.now?.kind === 'folder') this.#try(item, removeFolder);
    for (const item of byDepth) if (item.wanted?.kind === 'folder') this.#try(item, makeFolder);
    for (const item of byDepth)
      if (item.wanted?.kind === 'file' || item.wanted?.kind === 'link')
        this.#try(item, (place) => this.#write(place, item));
    for (const item of deepestFirst) if (item.wanted?.kind === 'folder') this.#try(item, setMode);
    for (const [folder, mode] of this.#opened) chmodSync(diskPath(folder), mode);
  }

  #try(item: RestoreItem, act: (place: string, item: RestoreItem) => void): void {
    const place = `${item.root}/${item.path}`;
    try {
      checkWay(item);
      try {
        act(place, item);
      } catch (error) {
        if (!/^(?:EACCES|EPERM)$/.test((error as NodeJS.ErrnoException).code ?? '')) throw error;
        this.#openFolder(folderOf(place));
        act(place, item);
      }
    } catch (error) {
      this.failures.push({ path: place, why: (error as Error).message });
    }
  }
  /** The folder is as it was before the call, or the agent made it read-only. */
  #openFolder(folder: string): void {
    const { mode } = lstatSync(diskPath(folder));
    if (!this.#opened.has(folder)) this.#opened.set(folder, mode & 0o7777);
    chmodSync(diskPath(folder), (mode & 0o7777) | OWNER_WRITES);
  }

  #write(place: string, { wanted, content }: RestoreItem): void {
    // The folder above may be a conflict that was skipped.
    mkdirSync(diskPath(folderOf(place)), { recursive: true });
    const aside = `${folderOf(place)}/${RESTORING}${randomBytes(8).toString('hex')}`;
    try {
      if (wanted?.kind === 'link') symlinkSync(diskPath(wanted.target), diskPath(aside));
      else if (wanted?.kind === 'file') writeFile(aside, content ?? this.#read(wanted.hash), wanted.mode);
      renameSync(diskPath(aside), diskPath(place));
    } catch (error) {
      rmSync(diskPath(aside), { force: true });
      throw error;
    }
  }

  /** Files of an undo that was killed. */
  removeUnfinished(items: readonly Pick<RestoreItem, 'root' | 'path'>[]): void {
    for (const folder of new Set(items.map(({ root, path }) => folderOf(`${root}/${path}`))))
      for (const name of namesIn(folder))
        if (name.startsWith(RESTORING)) rmSync(diskPath(`${folder}/${name}`), { force: true });
  }
}

const mustGo = ({ now, wanted }: RestoreItem): boolean =>
  now !== undefined && (wanted === undefined || isOtherKind(now, wanted));
/** A file replaces a link and the other way round in one step. */
const isOtherKind = (now: PathState, wanted: PathState): boolean =>
  now?.kind !== wanted?.kind && (now?.kind === 'folder' || wanted?.kind === 'folder');

/** A path must not lead through a link: the agent may have replaced a folder by a link to somewhere else. */
function checkWay({ root, path }: RestoreItem): void {
  for (let folder = folderOf(path); folder !== ''; folder = folderOf(folder)) {
    const status = lstatSync(diskPath(`${root}/${folder}`), { throwIfNoEntry: false });
    if (status !== undefined && !status.isDirectory())
      throw new Error(`${shownPath(folder)} is not a folder any more`);
  }
}

const remove = (place: string): void => unlinkSync(diskPath(place));

/** A folder in which somebody put something stays. */
function removeFolder(place: string): void {
  try {
    rmdirSync(diskPath(place));
  } catch (error) {
    if (!/^(?:ENOTEMPTY|EEXIST)$/.test((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}
function makeFolder(place: string): void {
  try {
    mkdirSync(diskPath(place), { recursive: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    if (!lstatSync(diskPath(place)).isDirectory()) throw error;
  }
}
function setMode(place: string, { wanted }: RestoreItem): void {
  if (wanted?.kind === 'folder') chmodSync(diskPath(place), wanted.mode);
}

function writeFile(file: string, bytes: Buffer, mode: number): void {
  const fd = openSync(diskPath(file), constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600);
  try {
    for (let at = 0; at < bytes.length;) at += writeSync(fd, bytes, at);
    fchmodSync(fd, mode);
  } finally {
    closeSync(fd);
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(diskPath(folder), { encoding: 'latin1' });
  } catch {
    return []; // it does not exist yet
  }
}
