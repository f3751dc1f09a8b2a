/**
 * Reads a folder into the store, and the second time only what changed since. Works in steps, so that a large folder does not keep
 * other work of the process waiting. Nothing of the project runs, and no symbolic link is followed.
 */

import { closeSync, constants, lstatSync, openSync, readdirSync, readlinkSync, type Stats } from 'node:fs';
import type { UndoSettings } from '../events/undo-settings.ts';
import { isBulky, isKnownBulky, folderSize } from './bulky.ts';
import { diskPath, joinedPath, lastName } from './byte-path.ts';
import type { Objects } from './objects.ts';
import { type Entry, isSameState, type LeftOutWhy } from './tree.ts';

export type ScanLimits = Pick<
  UndoSettings,
  'maxFileBytes' | 'maxBytes' | 'maxFiles' | 'bulkyBytes' | 'bulkyFiles' | 'skip'
>;
/** The folder is too large for undo, or is no place for it. */
export class UndoIsOff extends Error {}

export interface LeftOut {
  readonly path: string;
  readonly why: LeftOutWhy;
}
export interface Snapshot {
  readonly tree: string;
  readonly files: number;
  readonly bytes: number;
  readonly leftOut: readonly LeftOut[];
}

/** What a file looked like when it was stored. A time of change that is too recent proves nothing. */
export interface Stamp {
  readonly ino: number;
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly isRecent: boolean;
}
export interface KnownFolder {
  readonly tree: string;
  readonly mode: number;
  readonly stamp: Stamp;
  readonly entries: Map<string, Entry>;
  readonly stamps: Map<string, Stamp>;
}

/** Steps of the clock that file systems use. A change within one step leaves the times as they are. */
const CLOCK_STEP_MS = 50;
/** Times in whole seconds come from a file system with steps of up to two. */
const COARSE_STEP_MS = 2_500;

/** Repositories keep their own history. A file of this name is stored: it connects a submodule or a worktree with its repository. */
const NEVER = new Set(['.git', '.hg', '.svn', '.jj']);
/** Begins the name of a file that a restore is writing. */
export const RESTORING = '.anyhook-undo-';

type Steps<T> = Generator<undefined, T>;

export class Scan {
  readonly #root: string;
  readonly #objects: Objects;
  readonly #limits: ScanLimits;
  readonly known: Map<string, KnownFolder>;
  /** Bulky folders that are left out until they are gone. */
  readonly bulkyLeft: Set<string>;
  #leftOut: LeftOut[] = [];
  #files = 0;
  #bytes = 0;
  #bulky = { files: 0, bytes: 0 };
  /** Files whose content was read. */
  readCount = 0;

  /** `root` is a byte path. */
  constructor(
    root: string,
    objects: Objects,
    limits: ScanLimits,
    known = new Map<string, KnownFolder>(),
    bulkyLeft = new Set<string>(),
  ) {
    this.#root = root;
    this.#objects = objects;
    this.#limits = limits;
    this.known = known;
    this.bulkyLeft = bulkyLeft;
  }

  *all(): Steps<Snapshot> {
    this.#leftOut = [];
    this.#files = this.#bytes = 0;
    this.#bulky = { files: 0, bytes: 0 };
    const folder = yield* this.#folder('', 'outside-bulky');
    if (folder === undefined) throw new UndoIsOff(`${this.#root} is not a folder that can be read`);
    return this.#snapshot(folder.tree);
  }

  /** Looks only at these paths. The rest is as it was at the last look, so the paths of a call must be known for certain. */
  *only(paths: readonly string[]): Steps<Snapshot> {
    if (!this.known.has('')) return yield* this.all();
    const counted = [this.#files, this.#bytes] as const;
    for (const path of paths) {
      const names = path.split('/');
      if (names.some((name) => name === '' || NEVER.has(name))) return yield* this.all();
      yield* this.#refresh('', names);
    }
    [this.#files, this.#bytes] = counted;
    return this.#snapshot(this.known.get('')!.tree);
  }

  /** A tree with one entry of this folder, or without any. Beyond a limit the entry is left out. */
  *one(name: string): Steps<Snapshot> {
    let looked: Looked;
    try {
      looked = yield* this.#entry(name, undefined, undefined, 'outside-bulky');
    } catch (error) {
      if (!(error instanceof UndoIsOff)) throw error;
      looked = this.#leave(name, 'too-large');
    }
    return this.#snapshot(
      this.#objects.putTree(new Map(looked.entry === undefined ? [] : [[name, looked.entry]])),
    );
  }

  #snapshot(tree: string): Snapshot {
    return { tree, files: this.#files, bytes: this.#bytes, leftOut: this.#leftOut };
  }

  /** Reads the way down to a path again, and stores the folders above it. */
  *#refresh(folder: string, [name = '', ...rest]: readonly string[]): Steps<void> {
    const before = this.known.get(folder)!;
    const path = joinedPath(folder, name);
    const entry =
      rest.length > 0 && this.known.has(path)
        ? yield* this.#refreshed(path, rest)
        : yield* this.#entry(path, before.stamps.get(name), before.entries.get(name), 'outside-bulky');
    // Trees in memory share the maps of known folders, so those are never changed.
    const [entries, stamps] = [new Map(before.entries), new Map(before.stamps)];
    if (entry.entry === undefined) entries.delete(name);
    else entries.set(name, entry.entry);
    if (entry.stamp === undefined) stamps.delete(name);
    else stamps.set(name, entry.stamp);
    const tree = this.#objects.putTree(entries);
    // The folder itself was not listed, so the next full look has to.
    this.known.set(folder, { ...before, entries, stamps, tree, stamp: { ...before.stamp, isRecent: true } });
  }
  *#refreshed(path: string, rest: readonly string[]): Steps<Looked> {
    const status = this.#status(path);
    if (status?.isDirectory() !== true)
      return yield* this.#entry(path, undefined, undefined, 'outside-bulky');
    yield* this.#refresh(path, rest);
    return { entry: { kind: 'folder', mode: status.mode & 0o7777, tree: this.known.get(path)!.tree } };
  }

  *#folder(path: string, place: BulkyPlace): Steps<KnownFolder | undefined> {
    yield;
    const lookedAt = Date.now();
    const status = this.#status(path);
    if (status?.isDirectory() !== true) return undefined;
    const before = this.known.get(path);
    const names = before !== undefined && isAsBefore(status, before.stamp) ? undefined : this.#names(path);
    if (names === 'unreadable') return undefined;
    const entries = new Map<string, Entry>();
    const stamps = new Map<string, Stamp>();
    let isSame = names === undefined;
    for (const name of names ?? before!.entries.keys()) {
      const below = joinedPath(path, name);
      if (name.startsWith(RESTORING) || (NEVER.has(name) && this.#status(below)?.isFile() !== true)) continue;
      const old = before?.entries.get(name);
      const known = before?.stamps.get(name);
      const { entry, stamp } =
        this.#unchanged(below, known, old, place) ?? (yield* this.#entry(below, known, old, place));
      if (entry !== undefined) entries.set(name, entry);
      if (stamp !== undefined) stamps.set(name, stamp);
      isSame &&= isIdentical(entry, old);
    }
    for (const name of before?.entries.keys() ?? [])
      if (!entries.has(name)) {
        this.#forget(joinedPath(path, name));
        this.bulkyLeft.delete(joinedPath(path, name));
      }
    const tree = isSame ? before!.tree : this.#objects.putTree(entries);
    const mode = status.mode & 0o7777;
    const folder = { tree, mode, stamp: stampOf(status, lookedAt), entries, stamps };
    this.known.set(path, folder);
    return folder;
  }

  /** The common case, without a generator for each file. */
  #unchanged(
    path: string,
    stamp: Stamp | undefined,
    before: Entry | undefined,
    place: BulkyPlace,
  ): Looked | undefined {
    if (stamp === undefined || before?.kind !== 'file' || this.#limits.skip.length > 0) return undefined;
    const status = this.#status(path);
    if (status === undefined || !status.isFile() || !isAsBefore(status, stamp)) return undefined;
    this.#count(status.size, place);
    return { entry: before, stamp };
  }

  *#entry(
    path: string,
    stamp: Stamp | undefined,
    before: Entry | undefined,
    place: BulkyPlace,
  ): Steps<Looked> {
    const { skip } = this.#limits;
    if (skip.length > 0 && (skip.includes(lastName(path)) || skip.includes(path)))
      return this.#leave(path, 'skipped');
    const status = this.#status(path);
    if (status === undefined) return {};
    if (status.isDirectory()) return yield* this.#folderEntry(path, place);
    if (status.isSymbolicLink()) return this.#link(path);
    if (!status.isFile()) return this.#leave(path, 'special-file');
    this.#count(status.size, place);
    if (status.size > this.#limits.maxFileBytes) return this.#leave(path, 'too-large');
    const mode = status.mode & 0o7777;
    if (stamp !== undefined && before?.kind === 'file' && isAsBefore(status, stamp))
      return { entry: before.mode === mode ? before : { ...before, mode }, stamp };
    return yield* this.#file(path);
  }

  *#folderEntry(path: string, place: BulkyPlace): Steps<Looked> {
    const known = this.known.get(path);
    const isLarge = () =>
      known === undefined ? isBulky(this.#onDisk(path)) : isKnownBulky(path, known.entries);
    if (place === 'inside-bulky' || !isLarge()) return yield* this.#asFolder(path, place);
    if (this.bulkyLeft.has(path)) return this.#leave(path, 'bulky-folder');
    const { bulkyBytes, bulkyFiles } = this.#limits;
    const room = { bytes: bulkyBytes - this.#bulky.bytes, files: bulkyFiles - this.#bulky.files };
    if (known === undefined && (yield* folderSize(this.#onDisk(path), room)) === 'too-much')
      return this.#leaveBulky(path);
    const counted = this.#bulky;
    const looked = yield* this.#asFolder(path, 'inside-bulky');
    if (this.#bulky.files <= bulkyFiles && this.#bulky.bytes <= bulkyBytes) return looked;
    this.#bulky = counted;
    return this.#leaveBulky(path); // it has grown
  }
  #leaveBulky(path: string): Looked {
    this.bulkyLeft.add(path);
    this.#forget(path);
    return this.#leave(path, 'bulky-folder');
  }
  *#asFolder(path: string, place: BulkyPlace): Steps<Looked> {
    const folder = yield* this.#folder(path, place);
    if (folder === undefined) return this.#leave(path, 'unreadable');
    return { entry: { kind: 'folder', mode: folder.mode, tree: folder.tree } };
  }

  #link(path: string): Looked {
    try {
      return { entry: { kind: 'link', target: readlinkSync(this.#onDisk(path), { encoding: 'latin1' }) } };
    } catch {
      return this.#leave(path, 'unreadable');
    }
  }

  *#file(path: string): Steps<Looked> {
    const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
    const lookedAt = Date.now();
    let fd: number;
    try {
      fd = openSync(this.#onDisk(path), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    } catch {
      return this.#status(path) === undefined ? {} : this.#leave(path, 'unreadable');
    }
    try {
      this.readCount += 1;
      const { hash, size, status } = yield* this.#objects.putFile(fd);
      const entry: Entry = { kind: 'file', mode: status.mode & 0o7777, size, hash };
      return { entry, stamp: stampOf(status, lookedAt) };
    } finally {
      closeSync(fd);
    }
  }

  #count(bytes: number, place: BulkyPlace): void {
    if (place === 'inside-bulky') {
      this.#bulky = { files: this.#bulky.files + 1, bytes: this.#bulky.bytes + bytes };
      return;
    }
    this.#files += 1;
    this.#bytes += bytes > this.#limits.maxFileBytes ? 0 : bytes;
    const { maxFiles, maxBytes } = this.#limits;
    if (this.#files > maxFiles) throw new UndoIsOff(`the project has more than ${maxFiles} files`);
    if (this.#bytes > maxBytes) throw new UndoIsOff(`the project has more than ${maxBytes} bytes`);
  }
  #leave(path: string, why: LeftOutWhy): Looked {
    if (why !== 'skipped')
      this.#leftOut = [...this.#leftOut.filter((one) => one.path !== path), { path, why }];
    return { entry: { kind: 'left-out', why } };
  }
  #forget(path: string): void {
    const folder = this.known.get(path);
    if (folder === undefined) return;
    this.known.delete(path);
    for (const name of folder.entries.keys()) this.#forget(joinedPath(path, name));
  }

  #names(path: string): readonly string[] | 'unreadable' {
    try {
      return readdirSync(this.#onDisk(path), { encoding: 'latin1' });
    } catch {
      return 'unreadable';
    }
  }
  #status(path: string): Stats | undefined {
    try {
      return lstatSync(this.#onDisk(path), { throwIfNoEntry: false });
    } catch {
      return undefined; // a folder above it is not readable, or is a file by now
    }
  }
  #onDisk(path: string): string | Buffer {
    return diskPath(path === '' ? this.#root : `${this.#root}/${path}`);
  }
}

type BulkyPlace = 'inside-bulky' | 'outside-bulky';
interface Looked {
  readonly entry?: Entry;
  readonly stamp?: Stamp;
}

function stampOf({ ino, size, mtimeMs, ctimeMs }: Stats, lookedAtMs: number): Stamp {
  const step = ctimeMs % 1000 === 0 ? COARSE_STEP_MS : CLOCK_STEP_MS;
  return { ino, size, mtimeMs, ctimeMs, isRecent: ctimeMs > lookedAtMs - step };
}

const isAsBefore = ({ ino, size, mtimeMs, ctimeMs }: Stats, stamp: Stamp): boolean =>
  !stamp.isRecent &&
  ino === stamp.ino &&
  size === stamp.size &&
  mtimeMs === stamp.mtimeMs &&
  ctimeMs === stamp.ctimeMs;

const isIdentical = (a: Entry | undefined, b: Entry | undefined): boolean =>
  a === b ||
  (isSameState(a, b) &&
    (a?.kind !== 'folder' || (b?.kind === 'folder' && a.tree === b.tree)) &&
    (a?.kind !== 'left-out' || (b?.kind === 'left-out' && a.why === b.why)));
