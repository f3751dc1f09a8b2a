/** A pack of hooks: its files, and the `hookPaths` entries for those with hooks. */

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import type { PackEntry } from '../events/pack.ts';

/** Content below one folder, by path with `/`. */
export interface PackFiles {
  readonly files: ReadonlyMap<string, Buffer>;
  /** The executable files. */
  readonly executable: ReadonlySet<string>;
}
export interface Pack extends PackFiles {
  readonly name: string;
  /** Its source, in a form that `add` accepts. */
  readonly from: string;
  readonly version?: string;
  /** The dialect of its hooks. */
  readonly dialect: string;
  /** Other dialects that it supports. `--as` selects one. */
  readonly also: readonly string[];
  readonly entries: readonly PackEntry[];
  /** The files with hooks, for display. */
  readonly modules: readonly string[];
}

/** One hash of the content, independent of file order. */
export function hashOf({ files, executable }: PackFiles): string {
  const sum = createHash('sha256');
  for (const [path, bytes] of [...files].toSorted(([a], [b]) => (a < b ? -1 : 1)))
    sum.update(`${path}\0${executable.has(path) ? 'x\0' : ''}${bytes.length}\0`).update(bytes);
  return `sha256:${sum.digest('hex')}`;
}

/** Files that npm writes for itself. */
const OF_NPM = /(?:^|\/)node_modules\/(?:\.bin\/|\.package-lock\.json$)/;

/** Links are not followed: their targets were not examined. */
export function filesBelow(folder: string, isWanted: (path: string) => boolean = () => true): PackFiles {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter((path) => !/(?:^|\/)\.git\//.test(path) && !OF_NPM.test(path) && isWanted(path))
    .toSorted();
  return {
    files: new Map(paths.map((path) => [path, readFileSync(join(folder, path))])),
    executable: new Set(paths.filter((path) => (statSync(join(folder, path)).mode & 0o100) !== 0)),
  };
}

/** Name and version of every package below `node_modules`. */
export function dependenciesIn({ files }: Pick<PackFiles, 'files'>): Map<string, string> {
  const found = new Map<string, string>();
  for (const [path, bytes] of files) {
    const [, name] = /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)\/package\.json$/.exec(path) ?? [];
    if (name !== undefined) found.set(path.slice(0, -'/package.json'.length), `${name} ${versionIn(bytes)}`);
  }
  return found;
}

function versionIn(manifest: Buffer): string {
  try {
    return String((JSON.parse(manifest.toString()) as { version?: unknown }).version ?? '');
  } catch {
    return '';
  }
}
