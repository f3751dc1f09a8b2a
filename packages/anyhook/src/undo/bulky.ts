/** Folders that a command can make again, and that may be much larger than the project itself. */

import { existsSync, lstatSync, readdirSync } from 'node:fs';
import { diskPath, lastName } from './byte-path.ts';

const NAMES = new Set(
  `node_modules bower_components .venv venv __pycache__ .tox .nox .mypy_cache .ruff_cache .pytest_cache target .gradle .next .nuxt
   .turbo .parcel-cache .cache .terraform Pods DerivedData .dart_tool _build deps vendor`.split(/\s+/),
);
/** Marks a folder as a cache: https://bford.info/cachedir/ */
const TAG = 'CACHEDIR.TAG';

export interface FolderSize {
  readonly files: number;
  readonly bytes: number;
}

/** The same for a folder whose entries are known. */
export const isKnownBulky = (path: string, entries: ReadonlyMap<string, unknown>): boolean =>
  NAMES.has(lastName(path)) || entries.has(TAG);

export function isBulky(folder: string | Buffer): boolean {
  const path = typeof folder === 'string' ? folder : folder.toString('latin1');
  return NAMES.has(lastName(path)) || existsSync(diskPath(`${path}/${TAG}`));
}

/** Stops counting at the limit. */
export function* folderSize(
  folder: string | Buffer,
  room: FolderSize,
): Generator<undefined, FolderSize | 'too-much'> {
  let [files, bytes] = [0, 0];
  const waiting = [typeof folder === 'string' ? folder : folder.toString('latin1')];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    yield;
    for (const { name, isFolder } of entriesOf(path)) {
      const child = `${path}/${name}`;
      if (isFolder) waiting.push(child);
      else bytes += lstatSync(diskPath(child), { throwIfNoEntry: false })?.size ?? 0;
      files += 1;
      if (files > room.files || bytes > room.bytes) return 'too-much';
    }
  }
  return { files, bytes };
}

function entriesOf(path: string): readonly { readonly name: string; readonly isFolder: boolean }[] {
  try {
    return readdirSync(diskPath(path), { encoding: 'latin1', withFileTypes: true }).map((entry) => ({
      name: String(entry.name),
      isFolder: entry.isDirectory(),
    }));
  } catch {
    return []; // missing or unreadable; the snapshot reports it
  }
}
