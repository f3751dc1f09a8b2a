/** Writes files that may be somebody else's: whole or not at all, with the owner, the mode and the other names that they have. */
import { accessSync, constants, existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { Unreadable } from './json-text.ts';
import { checkOwner } from './read-if-allowed.ts';
import type { TargetFile } from './target.ts';

type WrittenFile = Pick<TargetFile, 'file' | 'path'>;

/**
 * Throws for what is not ours to write. A new file takes the place of the old one, which asks nobody whether the old one may
 * be written: so it is asked here.
 */
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

/** `null`: the file goes. */
export function writeTarget({ path }: WrittenFile, bytes: Uint8Array | string | null, mode?: number): void {
  if (bytes === null) return rmSync(path, { force: true });
  mkdirSync(dirname(path), { recursive: true });
  // A file with a second name would lose it to a new one in its place.
  if ((statSync(path, { throwIfNoEntry: false })?.nlink ?? 1) > 1)
    writeFileSync(path, bytes, { flush: true });
  else writeFileAtomic.sync(path, bytes, mode === undefined ? {} : { mode }); // keeps owner and mode of what was there
}
