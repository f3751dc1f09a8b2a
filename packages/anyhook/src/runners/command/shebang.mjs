import { closeSync, constants, openSync, readSync } from 'node:fs';
import { resolve } from 'node:path';

/** A longer first line names no interpreter. */
const LONGEST = 256;

/**
 * Returns the first line of a script after its `#!`, as the system reads it, or undefined if there is none.
 * @param {string} file
 */
export function shebangOf(file) {
  const bytes = Buffer.alloc(LONGEST);
  let fd;
  try {
    fd = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch {
    return undefined;
  }
  try {
    return /^#!([^\n]*)/.exec(bytes.toString('utf8', 0, readSync(fd, bytes)))?.[1];
  } catch {
    return undefined; // a folder
  } finally {
    closeSync(fd);
  }
}

/**
 * Returns true if the first line has a Windows line ending. The system then looks for an interpreter whose
 * name ends with a carriage return, and reports the script or `env` as missing.
 * @param {string} file
 */
export const hasWindowsShebang = (file) => shebangOf(file)?.endsWith('\r') === true;

/** @param {string} file */
export const windowsShebang = (file) =>
  `the first line of ${file} ends with a carriage return (Windows line ending), so its interpreter is not found; save it with LF line endings`;

/** Exit codes with which a shell or `env` reports that a program could not be started. */
const UNSTARTED = new Set([126, 127]);

/**
 * Returns a message if a job failed to start because of a first line with a Windows line ending.
 * @param {Pick<import('./job.ts').Job, 'file' | 'args' | 'cwd' | 'env'>} job
 * @param {number | null | undefined} code the exit code; undefined if the system refused to start it
 */
export function lineEndsOf({ file, args, cwd, env }, code) {
  if (code !== undefined && !UNSTARTED.has(code ?? 0)) return undefined;
  const [word] =
    args[0] === '-c'
      ? (/^\s*(?:"([^"]+)"|'([^']+)'|(\S+))/.exec(args[1] ?? '') ?? []).slice(1).filter(Boolean)
      : [file];
  if (word === undefined || !word.includes('/')) return undefined;
  const path = resolve(
    cwd,
    word
      .replace(/^~(?=\/)/, env['HOME'] ?? '~')
      .replaceAll(/\$\{?(\w+)\}?/g, (whole, name) => env[name] ?? whole),
  );
  return hasWindowsShebang(path) ? windowsShebang(path) : undefined;
}
