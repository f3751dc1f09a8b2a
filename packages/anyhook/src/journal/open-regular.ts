import { closeSync, constants, fstatSync, openSync } from 'node:fs';

/** A planted link would lead elsewhere. Windows has no such flag. */
export const NO_FOLLOW = constants.O_NOFOLLOW ?? 0;
const NO_WAIT = constants.O_NONBLOCK ?? 0;

/** A pipe or a device that somebody put in the place of a file of ours would be waited for, or read, for ever. */
export function openRegular(file: string, flags: number = constants.O_RDONLY): number {
  const fd = openSync(file, flags | NO_WAIT, 0o600);
  if (fstatSync(fd).isFile()) return fd;
  closeSync(fd);
  throw new Error(`${file} is no regular file`);
}
