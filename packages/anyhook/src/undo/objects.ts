/**
 * Contents by their hash, one file each. An object is written beside its place and renamed, so a process that is killed leaves no half
 * object, and equal contents are stored once.
 */

import { createHash, randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../settings/make-folder.ts';
import { decodeTree, type TreeEntries, encodeTree } from './tree.ts';

/** A file up to this size is read at once. */
const CHUNK_BYTES = 1 << 20;
/** Begins the name of an object that is being written. */
const UNFINISHED = 'tmp-';
const MOST_TREES_IN_MEMORY = 20_000;

export class DamagedObject extends Error {}

export class Objects {
  readonly #folder: string;
  readonly #trees = new Map<string, TreeEntries>();
  /** Folders of objects that exist, and objects that this process has seen. */
  readonly #made = new Set<string>();
  readonly #seen = new Set<string>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  put(bytes: Buffer): string {
    const name = hashOf(bytes);
    if (!this.#has(name))
      this.#place(name, (file) => writeFileSync(file, bytes, { mode: 0o600, flag: 'wx' }));
    return name;
  }

  putTree(entries: TreeEntries): string {
    const name = this.put(encodeTree(entries));
    if (this.#trees.size < MOST_TREES_IN_MEMORY) this.#trees.set(name, entries);
    return name;
  }

  /** Stores what an open file contains now. Yields between the parts of a large file. */
  *putFile(
    fd: number,
  ): Generator<undefined, { readonly hash: string; readonly size: number; readonly status: Stats }> {
    const status = fstatSync(fd);
    if (status.size <= CHUNK_BYTES) {
      const bytes = readFileSync(fd);
      return { hash: this.put(bytes), size: bytes.length, status };
    }
    const stored = yield* this.#putLarge(fd);
    return { ...stored, status };
  }

  *#putLarge(fd: number): Generator<undefined, { readonly hash: string; readonly size: number }> {
    const digest = createHash('sha256');
    const chunk = Buffer.alloc(CHUNK_BYTES);
    const aside = join(this.#folder, `${UNFINISHED}${randomBytes(8).toString('hex')}`);
    let size = 0;
    try {
      const out = openSync(aside, 'wx', 0o600);
      try {
        for (;;) {
          const read = readSync(fd, chunk, 0, CHUNK_BYTES, size);
          if (read === 0) break;
          digest.update(chunk.subarray(0, read));
          writeAll(out, chunk.subarray(0, read));
          size += read;
          yield;
        }
      } finally {
        closeSync(out);
      }
      const hash = digest.digest('hex');
      if (!this.#has(hash)) this.#place(hash, (file) => renameSync(aside, file));
      return { hash, size };
    } finally {
      rmSync(aside, { force: true });
    }
  }

  /** Throws `DamagedObject` if the content is missing or is not what its name says. */
  read(name: string): Buffer {
    let bytes: Buffer;
    try {
      bytes = readFileSync(this.#fileOf(name));
    } catch (error) {
      throw new DamagedObject(`the store has no content ${name.slice(0, 12)}`, { cause: error });
    }
    if (hashOf(bytes) !== name)
      throw new DamagedObject(`the content ${name.slice(0, 12)} of the store is damaged`);
    return bytes;
  }

  readonly readTree = (name: string): TreeEntries => {
    const known = this.#trees.get(name);
    if (known !== undefined) return known;
    const entries = decodeTree(this.read(name));
    if (this.#trees.size >= MOST_TREES_IN_MEMORY) this.#trees.clear();
    this.#trees.set(name, entries);
    return entries;
  };

  /** Names and sizes of all objects. Unfinished ones are removed: no other process writes while the store is locked. */
  list(): Map<string, number> {
    const found = new Map<string, number>();
    for (const name of namesIn(this.#folder)) {
      if (name.startsWith(UNFINISHED)) rmSync(join(this.#folder, name), { force: true });
      else
        for (const rest of namesIn(join(this.#folder, name)))
          if (rest.startsWith(UNFINISHED)) rmSync(join(this.#folder, name, rest), { force: true });
          else found.set(name + rest, statSync(join(this.#folder, name, rest)).size);
    }
    return found;
  }
  remove(name: string): void {
    rmSync(this.#fileOf(name), { force: true });
    this.#seen.delete(name);
  }
  /** Another process has removed objects. */
  forget(): void {
    this.#seen.clear();
    this.#trees.clear();
    this.#made.clear();
  }

  #has(name: string): boolean {
    if (this.#seen.has(name)) return true;
    if (!existsSync(this.#fileOf(name))) return false;
    this.#seen.add(name);
    return true;
  }
  #place(name: string, write: (file: string) => void): void {
    const folder = join(this.#folder, name.slice(0, 2));
    if (!this.#made.has(folder)) makeFolder(folder);
    this.#made.add(folder);
    const aside = join(folder, `${UNFINISHED}${randomBytes(8).toString('hex')}`);
    try {
      write(aside);
      renameSync(aside, this.#fileOf(name));
    } catch (error) {
      rmSync(aside, { force: true });
      throw error;
    }
    this.#seen.add(name);
  }
  #fileOf(name: string): string {
    return join(this.#folder, name.slice(0, 2), name.slice(2));
  }
}

const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

function writeAll(fd: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length;) at += writeSync(fd, bytes, at);
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // nothing was stored yet
  }
}
