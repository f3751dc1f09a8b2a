import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * The folder and its missing parents, for the person alone. Not by `recursive: true`: where a parent is there but
 * takes no children (`/proc`), Node 20 tries for ever.
 */
export function makeFolder(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return;
  const parent = dirname(folder);
  if (parent !== folder) makeFolder(parent);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    if (!statSync(folder).isDirectory()) throw error;
  }
}
