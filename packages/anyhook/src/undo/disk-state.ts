/** The present state of single paths. Names are compared as they are listed, because a file system may ignore their case. */

import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { diskPath, folderOf, lastName } from './byte-path.ts';
import type { PathState } from './tree.ts';

type List = (folder: string) => readonly string[];

export class DiskState {
  readonly #names = new Map<string, ReadonlySet<string>>();
  readonly #list: List;

  constructor(list: List = listFolder) {
    this.#list = list;
  }

  readonly at = (root: string, path: string): PathState => {
    const place = `${root}/${path}`;
    if (!this.#exists(root, path)) return undefined;
    try {
      const status = lstatSync(diskPath(place), { throwIfNoEntry: false });
      if (status === undefined) return undefined;
      const mode = status.mode & 0o7777;
      if (status.isDirectory()) return { kind: 'folder', mode, tree: '' };
      if (status.isSymbolicLink())
        return { kind: 'link', target: readlinkSync(diskPath(place), { encoding: 'latin1' }) };
      if (!status.isFile()) return { kind: 'left-out', why: 'special-file' };
      const bytes = readFileSync(diskPath(place));
      return {
        kind: 'file',
        mode,
        size: bytes.length,
        hash: createHash('sha256').update(bytes).digest('hex'),
      };
    } catch {
      return { kind: 'left-out', why: 'unreadable' };
    }
  };

  /** Each folder on the way must be one, and not a link to one. */
  #exists(root: string, path: string): boolean {
    const parent = folderOf(path);
    if (!this.#listed(parent === '' ? root : `${root}/${parent}`).has(lastName(path))) return false;
    if (parent === '') return true;
    const status = lstatSync(diskPath(`${root}/${parent}`), { throwIfNoEntry: false });
    return status?.isDirectory() === true && this.#exists(root, parent);
  }
  #listed(folder: string): ReadonlySet<string> {
    const known = this.#names.get(folder);
    if (known !== undefined) return known;
    const names = new Set(this.#list(folder));
    this.#names.set(folder, names);
    return names;
  }
}

export const contentAt = (root: string, path: string): Buffer => readFileSync(diskPath(`${root}/${path}`));

function listFolder(folder: string): readonly string[] {
  try {
    return readdirSync(diskPath(folder), { encoding: 'latin1' });
  } catch {
    return []; // it is gone, or no folder
  }
}
