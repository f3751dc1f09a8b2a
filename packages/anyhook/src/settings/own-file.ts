/** Small files that only this user can have written. */
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

/** A file that another user could have written is treated as missing, and so is one of more bytes than this. */
export function readOwn(file: string, most = Infinity): Buffer | undefined {
  if (!existsSync(file)) return undefined; // the usual case: an error would cost more than the look
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

/** Writes the whole file or leaves it as it was. A failure is not reported: these files only save time, and are made again. */
export function writeOwn(file: string, content: string | Uint8Array): void {
  const aside = `${file}.${process.pid}.tmp`;
  try {
    writeFileSync(aside, content, { mode: 0o600, flag: 'wx' });
    renameSync(aside, file);
  } catch {
    try {
      rmSync(aside, { force: true });
    } catch {
      // the folder is missing, so there is no file beside it to remove
    }
  }
}
