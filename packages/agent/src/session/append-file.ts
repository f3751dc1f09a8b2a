/** An append-only file of lines. Each line is on disk before `append` returns. */

import {
  closeSync,
  existsSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  writeFileSync,
  writeSync,
  fstatSync,
} from 'node:fs';
import { dirname } from 'node:path';

export interface AppendFile {
  /** Throws if the line could not be written. A partial line is removed, so that the next line starts clean. */
  append(line: string): void;
  close(): void;
}
/** The functions of `node:fs` that can fail on a full disk. Tests replace them. */
export interface Disk {
  readonly write: (fd: number, bytes: Uint8Array, offset: number) => number;
  readonly sync: (fd: number) => void;
}
export const DISK: Disk = { write: (fd, bytes, offset) => writeSync(fd, bytes, offset), sync: fsyncSync };

export function openAppendFile(file: string, disk: Disk = DISK): AppendFile {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const fd = openSync(file, 'a', 0o600);
  return {
    append(line) {
      const bytes = Buffer.from(`${line}\n`);
      const { size } = fstatSync(fd);
      try {
        for (let at = 0; at < bytes.length;) at += disk.write(fd, bytes, at);
        disk.sync(fd);
      } catch (error) {
        takeBack(fd, size);
        throw error;
      }
    },
    close: () => closeSync(fd),
  };
}

function takeBack(fd: number, size: number): void {
  try {
    ftruncateSync(fd, size);
  } catch {
    // The reader tolerates a torn last line.
  }
}

/** Moves a torn last line to a file beside this one. Returns the path of that file. */
export function setAside(file: string, torn: Uint8Array, soundBytes: number): string {
  let aside = `${file}.torn`;
  for (let n = 2; existsSync(aside); n++) aside = `${file}.torn-${n}`;
  writeFileSync(aside, torn, { mode: 0o600 });
  const fd = openSync(file, 'r+');
  try {
    ftruncateSync(fd, soundBytes);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  return aside;
}
