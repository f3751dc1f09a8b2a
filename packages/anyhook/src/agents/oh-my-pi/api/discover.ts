import { type Dirent, readdirSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { locationsOf, obstacleAt } from '../../../gather/folders.ts';
import { nearestProject } from '../../../gather/nearest-project.ts';
import { discover, type Discovery } from '../dialect/discover.ts';
import { ohMyPi } from '../dialect/index.ts';

/** Lists a folder in sorted order; a missing folder is empty. Dot files are not hooks. */
const filesIn = (folder: string): string[] => namesIn(folder, 'isFile');
const foldersIn = (folder: string): string[] => namesIn(folder, 'isDirectory');

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

/** A link counts as its target. */
function kindOf(folder: string, entry: Dirent): Pick<Dirent, 'isFile' | 'isDirectory'> | undefined {
  return entry.isSymbolicLink() ? statSync(join(folder, entry.name), { throwIfNoEntry: false }) : entry;
}

export type { DiscoveredHook, Discovery } from '../dialect/discover.ts';

/** Finds hooks in the folders of the agents on this disk: for the user, and for the project that contains `cwd`. */
export function discoverHooks(cwd: string, home: string = homedir()): Discovery {
  const project = nearestProject([ohMyPi], locationsOf({ cwd, home }));
  return discover(home, project, { files: filesIn, folders: foldersIn, obstacle: obstacleAt });
}
