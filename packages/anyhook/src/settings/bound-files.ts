/** Files as they were when a guard was bound to them. A look at the file's status comes first; the content is read only if that differs. */
import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { diskMark, lookKey } from './disk-record.ts';

/** Path → status and hash of its content; `absent`: there was no file, and none may appear. */
export type BoundFiles = Readonly<Record<string, readonly [mark: string, sha256: string] | 'absent'>>;

/** Of larger files, programs mostly, only the status counts. */
const LARGEST_HASHED = 4 * 1024 * 1024;

export function bindFiles(files: Iterable<string>, absent: Iterable<string>): BoundFiles {
  const bound: Record<string, BoundFiles[string]> = {};
  for (const path of absent) bound[path] = 'absent';
  for (const path of files) bound[path] = [markOf(path), hashOf(path)];
  return bound;
}

/** The first file that is not what it was; undefined if all are. */
export const brokenFile = (bound: BoundFiles): string | undefined =>
  Object.entries(bound).find(([path, was]) => !isSame(path, was))?.[0];

function isSame(path: string, was: BoundFiles[string]): boolean {
  const mark = markOf(path);
  if (was === 'absent') return mark === 'absent';
  return mark === was[0] || (was[1] !== '' && hashOf(path) === was[1]);
}

/** Of a folder (its path ends with a slash) the names in it. */
function markOf(path: string): string {
  try {
    if (statSync(path, { throwIfNoEntry: false }) === undefined) return 'absent';
    return diskMark(lookKey(path.endsWith('/') ? 'names' : 'file', path));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOTDIR' ? 'absent' : `(${code})`;
  }
}

/** Empty if it is too large or cannot be read: then its status decides. */
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
