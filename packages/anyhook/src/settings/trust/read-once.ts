import { closeSync, constants, fstatSync, openSync, readSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { thrownText } from '../../events/thrown.ts';
import { pathOfDescriptor, type Project } from './project.ts';

export const MAX_FILE_BYTES = 8 * 1024 * 1024;

export type BytesRead =
  | { readonly kind: 'read'; readonly bytes: Buffer; readonly executable: boolean }
  | { readonly kind: 'unread'; readonly why: string };

/**
 * The only way to read bytes of a project: opened once, checked by the open descriptor, read once. Hashing,
 * display and running use this buffer and never the path again. A FIFO or device does not block.
 */
export function readOnce(project: Project, name: string): BytesRead {
  const path = join(project.root, name);
  let descriptor: number;
  try {
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  } catch (error) {
    return { kind: 'unread', why: `${name} cannot be opened: ${thrownText(error)}` };
  }
  try {
    return readOpened(descriptor, path, name);
  } catch (error) {
    return { kind: 'unread', why: `${name} cannot be read: ${thrownText(error)}` };
  } finally {
    closeSync(descriptor);
  }
}

function readOpened(descriptor: number, path: string, name: string): BytesRead {
  const status = fstatSync(descriptor);
  if (!status.isFile()) return { kind: 'unread', why: `${name} is not a regular file` };
  if (!isStillAt(descriptor, path)) return { kind: 'unread', why: `${name} moved while it was being read` };
  const room = Buffer.alloc(Math.min(status.size, MAX_FILE_BYTES) + 1);
  const parts: Buffer[] = [];
  let total = 0;
  for (let got = -1; got !== 0 && total <= MAX_FILE_BYTES; total += got) {
    got = readSync(descriptor, room, 0, room.length, null);
    parts.push(Buffer.from(room.subarray(0, got)));
  }
  if (total > MAX_FILE_BYTES) {
    return {
      kind: 'unread',
      why: `${name} is larger than ${MAX_FILE_BYTES} bytes, the most that can be trusted`,
    };
  }
  return { kind: 'read', bytes: Buffer.concat(parts), executable: (status.mode & 0o111) !== 0 };
}

/**
 * `O_NOFOLLOW` checks only the last component. A parent may have been replaced by a link out of the project.
 */
function isStillAt(descriptor: number, path: string): boolean {
  const now = pathOfDescriptor(descriptor);
  if (now !== undefined) return now === path;
  const [opened, named] = [fstatSync(descriptor), statSync(path)];
  return realpathSync.native(path) === path && opened.ino === named.ino && opened.dev === named.dev;
}
