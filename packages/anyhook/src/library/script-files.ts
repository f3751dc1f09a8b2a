/**
 * Reads the files that shell commands run, for matchers. Only regular files up to a size: a pipe or a device would block, and a
 * long file would delay every call.
 */

import { closeSync, constants, fstatSync, openSync, readSync, statSync } from 'node:fs';
import type { Event } from '../events/event.ts';
import type { Hook } from '../events/hook.ts';
import type { ScriptFile, ScriptFiles } from '../events/script-files.ts';

const MAX_BYTES = 256 * 1024;
/** A text contains no NUL byte. Compiled programs have one near their start. */
const SAMPLE_BYTES = 8 * 1024;

export const SCRIPT_FILES: ScriptFiles = {
  versionOf(path) {
    try {
      const { dev, ino, size, mtimeMs, ctimeMs } = statSync(path);
      return [dev, ino, size, mtimeMs, ctimeMs].join(' ');
    } catch (error) {
      return codeOf(error); // missing, a loop of links, or not accessible
    }
  },
  read(path) {
    try {
      return readRegularFile(path);
    } catch (error) {
      // A command cannot run a file that is not there. Any other error may concern only this process.
      const code = codeOf(error);
      return MISSING.has(code) ? undefined : { kind: 'unreadable', why: `it cannot be read (${code})` };
    }
  },
};

const MISSING: ReadonlySet<string> = new Set([
  'ENOENT',
  'ENOTDIR',
  'ELOOP',
  'EISDIR',
  'ENAMETOOLONG',
  'ENXIO',
]);
const codeOf = (error: unknown): string => String((error as NodeJS.ErrnoException).code);

function readRegularFile(path: string): ScriptFile | undefined {
  // On Windows the flag does not exist.
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const info = fstatSync(file);
    // A command reads nothing from a folder, `/dev/null` or a terminal.
    if (info.isDirectory() || info.isCharacterDevice()) return undefined;
    if (!info.isFile()) return { kind: 'unreadable', why: 'it is not a regular file' };
    const bytes = Buffer.alloc(MAX_BYTES + 1);
    const length = readAll(file, bytes);
    if (bytes.subarray(0, Math.min(length, SAMPLE_BYTES)).includes(0)) return { kind: 'binary' };
    if (length > MAX_BYTES)
      return { kind: 'unreadable', why: `${info.size} bytes, at most ${MAX_BYTES} are read` };
    return { kind: 'text', text: bytes.toString('utf8', 0, length) };
  } finally {
    closeSync(file);
  }
}

function readAll(file: number, bytes: Buffer): number {
  let length = 0;
  for (let count = -1; count !== 0 && length < bytes.length; length += count)
    count = readSync(file, bytes, length, bytes.length - length, null);
  return length;
}

/** Lets the matcher of a hook look into files. */
export function seesScripts<T extends Hook>(hook: T): T {
  const { when } = hook;
  return when === undefined ? hook : { ...hook, when: (event: Event) => when(event, SCRIPT_FILES) };
}
