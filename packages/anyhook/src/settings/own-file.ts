/** Reads and writes small files that only this user can have written. */

import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';

/** Treats a file as missing if another user could have written it, or if it has more than `most` bytes. */
export function readOwn(file: string, most = Infinity): Buffer | undefined {
  if (!existsSync(file)) return undefined; // the common case; a failed open costs more than this check
  let fd: number;
  try {
    fd = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    return undefined;
  }
  try {
    const status = fstatSync(fd);
    if (!status.isFile() || status.size > most) return undefined;
    if (process.platform !== 'win32' && (status.uid !== process.getuid?.() || (status.mode & 0o022) !== 0))
      return undefined;
    return readFileSync(fd);
  } catch {
    return undefined;
  } finally {
    closeSync(fd);
  }
}

/**
 * Writes the whole file or leaves it unchanged. Failures are not reported, because these files are only
 * caches.
 */
export function writeOwn(file: string, content: string | Uint8Array): void {
  const aside = `${file}.${process.pid}.tmp`;
  try {
    writeFileSync(aside, content, { mode: 0o600, flag: 'wx' });
    renameSync(aside, file);
  } catch {
    try {
      rmSync(aside, { force: true });
    } catch {
      // the folder is missing, so there is no temporary file to remove
    }
  }
}
