import { homedir } from 'node:os';
import { discover, type Discovery } from '../dialect/discover.ts';
import { ohMyPi } from '../dialect/index.ts';
import { locationsOf, obstacleAt } from '../../../gather/folders.ts';
import { nearestProject } from '../../../gather/nearest-project.ts';
import { filesIn, foldersIn } from './folder.ts';

export type { DiscoveredHook, Discovery } from '../dialect/discover.ts';

/** What lies in the folders of the agents, on this disk: the user's, and those of the project that `cwd` is in. */
export function discoverHooks(cwd: string, home: string = homedir()): Discovery {
  const project = nearestProject([ohMyPi], locationsOf({ cwd, home }));
  return discover(home, project, { files: filesIn, folders: foldersIn, obstacle: obstacleAt });
}
