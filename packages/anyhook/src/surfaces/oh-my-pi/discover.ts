import { homedir } from 'node:os';
import { discover, type Discovery } from '../../dialects/oh-my-pi/discover.ts';
import { obstacleAt } from '../../assembly/folders.ts';
import { filesIn, foldersIn } from './folder.ts';

export type { DiscoveredHook, Discovery } from '../../dialects/oh-my-pi/discover.ts';

/** What lies in the folders of the agents, on this disk. */
export const discoverHooks = (cwd: string, home: string = homedir()): Discovery =>
  discover(home, cwd, { files: filesIn, folders: foldersIn, obstacle: obstacleAt });
