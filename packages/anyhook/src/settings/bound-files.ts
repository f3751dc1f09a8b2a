/**
 * Detects changes of files that a guard was bound to. Compares the file status first and the content only if
 * the status differs.
 */

import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { diskMark, lookKey } from './disk-record.ts';

/** Path → status and content hash. `absent`: the file did not exist and must not appear. */
export type BoundFiles = Readonly<Record<string, readonly [mark: string, sha256: string] | 'absent'>>;

/** For larger files, mostly programs, only the status counts. */
const LARGEST_HASHED = 4 * 1024 * 1024;

export function bindFiles(files: Iterable<string>, absent: Iterable<string>): BoundFiles {
  const bound: Record<string, BoundFiles[string]> = {};
  for (const path of absent) bound[path] = 'absent';
  for (const path of files) bound[path] = [markOf(path), hashOf(path)];
  return bound;
}

/** Returns the first file that has changed, or undefined. */
export const brokenFile = (bound: BoundFiles): string | undefined =>
  Object.entries(bound).find(([path, was]) => !isSame(path, was))?.[0];

function isSame(path: string, was: BoundFiles[string]): boolean {
  const mark = markOf(path);
  if (was === 'absent') return mark === 'absent';
  return mark === was[0] || (was[1] !== '' && hashOf(path) === was[1]);
}

/** For a folder (path with a trailing slash), the mark is the list of names in it. */
function markOf(path: string): string {
  try {
    if (statSync(path, { throwIfNoEntry: false }) === undefined) return 'absent';
    return diskMark(lookKey(path.endsWith('/') ? 'names' : 'file', path));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOTDIR' ? 'absent' : `(${code})`;
  }
}

/** Returns an empty string if the file is too large or unreadable; its status then decides. */
function hashOf(path: string): string {
  try {
    const { size, mode } = statSync(path);
    if (size > LARGEST_HASHED) return '';
    return createHash('sha256')
      .update(`${mode & 0o111} `)
      .update(readFileSync(path))
      .digest('hex');
  } catch {
    return '';
  }
}
