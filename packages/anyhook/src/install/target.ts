/** Finds the file that will really be written, and its content. Follows links, but not out of the project. */

import { lstatSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, isAbsolute } from 'node:path';
import type { InstallLocation } from '../agents/shared/bridge.ts';
import { Unreadable } from './json-text.ts';
import { readIfAllowed, shutFolder } from './read-if-allowed.ts';

export interface TargetFile {
  /** The requested path. */
  readonly file: string;
  /** The resolved path. */
  readonly path: string;
  /** Undefined if the file does not exist. */
  readonly bytes: Buffer | undefined;
  /** The owner, used to look at the file again. */
  readonly of: TargetOwner;
}
type TargetOwner = Pick<InstallLocation, 'scope' | 'cwd'>;

const LARGEST_BYTES = 1024 * 1024;

export function targetFileOf(file: string, { scope, cwd }: TargetOwner): TargetFile {
  const of = { scope, cwd };
  const path = realPathOf(file);
  if (scope === 'project') {
    const below = relative(realPathOf(cwd), path);
    if (below.startsWith('..') || isAbsolute(below))
      throw new Unreadable(`${file} leads out of the project, to ${path}; nothing is written there.`);
  }
  const status = statSync(path, { throwIfNoEntry: false });
  if (status === undefined) return { file, path, of, bytes: undefined };
  if (!status.isFile()) throw new Unreadable(`${file} is not a file.`);
  if (status.size > LARGEST_BYTES) throw new Unreadable(`${file} is larger than ${LARGEST_BYTES} bytes.`);
  return { file, path, of, bytes: readIfAllowed(file, path) };
}

/** A missing file resolves through its folder. A broken link resolves to nothing. */
function realPathOf(file: string): string {
  try {
    return realpathSync(file);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const shut = code === 'EACCES' ? shutFolder(file) : undefined;
    if (code !== 'ENOENT')
      throw new Unreadable(
        `${file} cannot be looked at: ${shut === undefined ? message : `you may not enter ${shut}`}.`,
      );
  }
  if (lstatSync(file, { throwIfNoEntry: false }) !== undefined)
    throw new Unreadable(`${file} is a link to a file that is not there.`);
  const above = dirname(file);
  return above === file ? file : join(realPathOf(above), basename(file));
}

/** Bytes that are not UTF-8 would not survive an edit. */
export function targetText({ bytes, file }: TargetFile): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes ?? Buffer.alloc(0));
  } catch {
    throw new Unreadable(`${file} is not UTF-8 text.`);
  }
}
