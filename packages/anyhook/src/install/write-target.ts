/** Writes files of other programs atomically, and keeps their owner, mode and hard links. */

import { accessSync, constants, existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { Unreadable } from './json-text.ts';
import { checkOwner } from './read-if-allowed.ts';
import type { TargetFile } from './target.ts';

type WrittenFile = Pick<TargetFile, 'file' | 'path'>;

/** Throws if the file may not be written. Replacing a file ignores its permissions, so they are checked here. */
export function checkWritable({ file, path }: WrittenFile): void {
  const status = statSync(path, { throwIfNoEntry: false });
  if (status !== undefined) {
    if ((status.mode & 0o200) === 0)
      throw new Unreadable(
        `${file} is read-only and is left as it is; to let it be changed: chmod u+w ${path}`,
      );
    checkOwner(file, status);
  }
  const folder = nearestFolder(path);
  try {
    accessSync(folder, constants.W_OK);
  } catch {
    throw new Unreadable(`${file} cannot be written: ${folder} is not yours to change.`);
  }
}

function nearestFolder(path: string): string {
  const folder = dirname(path);
  return existsSync(folder) ? folder : nearestFolder(folder);
}

/** `null` removes the file. */
export function writeTarget({ path }: WrittenFile, bytes: Uint8Array | string | null, mode?: number): void {
  if (bytes === null) return rmSync(path, { force: true });
  mkdirSync(dirname(path), { recursive: true });
  // Replacing a file with several hard links would detach them.
  if ((statSync(path, { throwIfNoEntry: false })?.nlink ?? 1) > 1)
    writeFileSync(path, bytes, { flush: true });
  else writeFileAtomic.sync(path, bytes, mode === undefined ? {} : { mode }); // keeps owner and mode of the old file
}
