/** Reads files of other owners, and explains in a message what the system does not allow. */

import { accessSync, constants, readFileSync, statSync, type Stats } from 'node:fs';
import { dirname } from 'node:path';
import { Unreadable } from './json-text.ts';

/** Undefined if the file does not exist. `file` is the path for display, `path` the resolved one. */
export function readIfAllowed(file: string, path: string = file): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    const shut = shutFolder(path);
    if (shut !== undefined) throw new Unreadable(`${file} cannot be looked at: you may not enter ${shut}.`);
    checkOwner(file, statSync(path));
    throw new Unreadable(`${file} cannot be read: ${(error as Error).message}.`);
  }
}

/** Root may edit files of other users; they keep their owner. */
export function checkOwner(file: string, { uid }: Stats): void {
  const user = process.geteuid?.() ?? 0;
  if (user !== 0 && uid !== user)
    throw new Unreadable(`${file} belongs to another user and is left as it is.`);
}

/** The outermost parent folder that cannot be entered. */
export function shutFolder(path: string): string | undefined {
  const folder = dirname(path);
  if (folder === path) return undefined;
  const above = shutFolder(folder);
  if (above !== undefined) return above;
  try {
    accessSync(folder, constants.X_OK);
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EACCES' ? folder : undefined;
  }
}
