import { closeSync, constants, fstatSync, openSync } from 'node:fs';

/** Does not follow symbolic links, which an attacker could have planted. Windows has no such flag. */
export const NO_FOLLOW = constants.O_NOFOLLOW ?? 0;
const NO_WAIT = constants.O_NONBLOCK ?? 0;

/** Opens a regular file. A pipe or device in its place would block the read or never end. */
export function openRegular(file: string, flags: number = constants.O_RDONLY): number {
  const fd = openSync(file, flags | NO_WAIT, 0o600);
  if (fstatSync(fd).isFile()) return fd;
  closeSync(fd);
  throw new Error(`${file} is not a regular file`);
}
