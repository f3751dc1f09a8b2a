import { closeSync, constants, fstatSync, lstatSync, openSync, readSync } from 'node:fs';
import type { Problem } from '../events/problems.ts';

export type SettingsFileRead =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'missing' }
  | { readonly kind: 'problem'; readonly problem: Problem };

const LARGEST = 1024 * 1024;

/**
 * Reads a settings file once: only a regular file, of limited size. Opens it without blocking, so that a FIFO
 * cannot hang the program.
 */
export function readSettingsFile(file: string): SettingsFileRead {
  if (isMissing(file)) return { kind: 'missing' }; // the common case; a failed open costs more than this check
  let fd: number;
  try {
    fd = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOTDIR' || (code === 'ENOENT' && isMissing(file))) return { kind: 'missing' };
    return trouble(
      file,
      'file-unreadable',
      `cannot be read (${code ?? message}).`,
      'Check its permissions and links.',
    );
  }
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile()) {
      const is = stat.isDirectory() ? 'a folder' : 'not a regular file';
      return trouble(
        file,
        'file-not-regular',
        `is ${is}. A settings file is expected here.`,
        'Replace it with a file.',
      );
    }
    if (stat.size > LARGEST)
      return trouble(file, 'file-too-large', `has ${stat.size} bytes, the limit is ${LARGEST}.`, 'Split it.');
    return decode(file, readAll(fd, stat.size));
  } catch (error) {
    return trouble(
      file,
      'file-unreadable',
      `cannot be read (${(error as Error).message}).`,
      'Check the disk.',
    );
  } finally {
    closeSync(fd);
  }
}

/** Returns the text of a small file, or undefined if it cannot be read. */
export function textOfFile(file: string): string | undefined {
  const read = readSettingsFile(file);
  return read.kind === 'text' ? read.text : undefined;
}

/** A dangling link was created on purpose, so it is not the same as a missing file. */
function isMissing(file: string): boolean {
  try {
    return lstatSync(file, { throwIfNoEntry: false }) === undefined;
  } catch {
    return false; // opening it tells why it cannot be looked at
  }
}

function readAll(fd: number, size: number): Buffer {
  const bytes = Buffer.alloc(size);
  let at = 0;
  while (at < size) {
    const got = readSync(fd, bytes, at, size - at, at);
    if (got === 0) break;
    at += got;
  }
  return bytes.subarray(0, at);
}

function decode(file: string, bytes: Buffer): SettingsFileRead {
  try {
    return { kind: 'text', text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return trouble(file, 'file-unreadable', 'is not UTF-8 text.', 'Save it as UTF-8.');
  }
}

const trouble = (file: string, code: Problem['code'], message: string, remedy: string): SettingsFileRead => ({
  kind: 'problem',
  problem: { code, file, message, remedy, severity: 'error' },
});
