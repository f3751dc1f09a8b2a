import { homedir } from 'node:os';
import { discover, type Discovery } from '../dialect/discover.ts';
import { ohMyPi } from '../dialect/index.ts';
import { locationsOf, obstacleAt } from '../../../gather/folders.ts';
import { nearestProject } from '../../../gather/nearest-project.ts';
import { type Dirent, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** What lies in a folder, sorted; a folder that is not there is empty. Names with a leading dot are nobody's hooks. */
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

/** A link counts as what it leads to. */
function kindOf(folder: string, entry: Dirent): Pick<Dirent, 'isFile' | 'isDirectory'> | undefined {
  return entry.isSymbolicLink() ? statSync(join(folder, entry.name), { throwIfNoEntry: false }) : entry;
}

export type { DiscoveredHook, Discovery } from '../dialect/discover.ts';

/** What lies in the folders of the agents, on this disk: the user's, and those of the project that `cwd` is in. */
export function discoverHooks(cwd: string, home: string = homedir()): Discovery {
  const project = nearestProject([ohMyPi], locationsOf({ cwd, home }));
  return discover(home, project, { files: filesIn, folders: foldersIn, obstacle: obstacleAt });
}
