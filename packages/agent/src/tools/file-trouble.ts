import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { nearestOf } from '../front/nearest-of.ts';

const WORDS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EISDIR: 'it is a folder, not a file',
  ENOTDIR: 'a part of its path is a file, not a folder',
  ENOSPC: 'the disk is full',
  EROFS: 'the disk is read-only',
  ENAMETOOLONG: 'the name is too long',
  ELOOP: 'its symbolic links form a loop',
};

/** Explains a file error so that the model can act on it. */
export function fileTrouble(verb: string, path: string, error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException;
  if (code !== 'ENOENT') return `${path} could not be ${verb}: ${WORDS[code] ?? message}.`;
  const near = neighbour(path);
  return `${path} does not exist.${near === undefined ? '' : ` Did you mean ${near}?`}`;
}

function neighbour(path: string): string | undefined {
  try {
    const name = nearestOf(basename(path), readdirSync(dirname(path)));
    return name === undefined ? undefined : join(dirname(path), name);
  } catch {
    return undefined; // The folder does not exist either.
  }
}
