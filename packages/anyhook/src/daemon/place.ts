/** Paths at which clients and the daemon meet: a folder of the user that other users cannot access. */

import { createHash } from 'node:crypto';
import { lstatSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { clientFolder } from '../agents/shared/client-command.ts';
import type { Locations } from '../events/dialect.ts';
import { foldersOf } from '../gather/folders.ts';

export interface DaemonPlace {
  readonly folder: string;
  /** A Unix socket; on Windows the name of a pipe. */
  readonly socket: string;
  /** Process id and program of the daemon that listens. */
  readonly owner: string;
  /** The folder of the files that clients create before they start a daemon. */
  readonly locks: string;
  /** Why the last daemon crashed. */
  readonly crash: string;
}

/** One daemon per user and home folder, for all projects. */
export function daemonPlaceOf(locations: Pick<Locations, 'home' | 'env'>): DaemonPlace {
  const place = daemonPlaceIn(join(dirname(foldersOf(locations as Locations).journal), 'daemon'));
  return process.platform === 'win32' ? { ...place, locks: clientFolder(locations) } : place;
}

export const daemonPlaceIn = (folder: string): DaemonPlace => ({
  folder,
  socket: process.platform === 'win32' ? pipeFor(folder) : join(folder, 'socket'),
  owner: join(folder, 'owner.json'),
  locks: folder,
  crash: join(folder, 'crash.txt'),
});

/** Pipe names are global on Windows, so the name carries the user and the folder. */
const pipeFor = (folder: string): string =>
  `\\\\.\\pipe\\anyhook-${userInfo().username}-${createHash('sha256').update(folder).digest('hex').slice(0, 16)}`;

/** The kernel allows 104 bytes on macOS, the final zero byte included; the daemon first binds `<socket>.<pid>`. */
const MAX_SOCKET_BYTES = 92;

export const isTooLong = ({ socket }: DaemonPlace): boolean =>
  process.platform !== 'win32' && Buffer.byteLength(socket) > MAX_SOCKET_BYTES;

/** Why no daemon can listen there; undefined if one can. */
export function daemonObstacle(place: DaemonPlace): string | undefined {
  const { folder, socket } = place;
  if (process.platform === 'win32') return undefined;
  if (isTooLong(place)) return `the path of the socket is longer than ${MAX_SOCKET_BYTES} bytes: ${socket}`;
  return isPrivateFolder(folder) ? undefined : `${folder} can be opened by other users`;
}

/** True also if it does not exist yet: it will be created with mode 0700. */
function isPrivateFolder(folder: string): boolean {
  const status = lstatSync(folder, { throwIfNoEntry: false });
  if (status === undefined) return true;
  return status.isDirectory() && status.uid === process.getuid?.() && (status.mode & 0o077) === 0;
}
