/** What lies in a folder, sorted; a folder that is not there is empty. Names with a leading dot are nobody's hooks. */
import { type Dirent, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

export const filesIn = (folder: string): string[] => namesIn(folder, 'isFile');
export const foldersIn = (folder: string): string[] => namesIn(folder, 'isDirectory');

function namesIn(folder: string, is: 'isFile' | 'isDirectory'): string[] {
  return entriesIn(folder)
    .filter((entry) => !entry.name.startsWith('.') && kindOf(folder, entry)?.[is]() === true)
    .map((entry) => entry.name)
    .toSorted();
}

function entriesIn(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** A link counts as what it leads to. */
function kindOf(folder: string, entry: Dirent): Pick<Dirent, 'isFile' | 'isDirectory'> | undefined {
  return entry.isSymbolicLink() ? statSync(join(folder, entry.name), { throwIfNoEntry: false }) : entry;
}
