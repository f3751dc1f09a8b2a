/** A file that only grows, line by line, each on the disk before the call returns. */
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
  /** Throws when the line is not on the disk; what was written of it is taken back, so that the next line is whole. */
  append(line: string): void;
  close(): void;
}
/** The part of `node:fs` that can run out of space; tests put a full disk here. */
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
    // Reading tolerates a torn end.
  }
}

/** Cuts a torn end off and keeps its bytes beside the file. Returns where. */
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
