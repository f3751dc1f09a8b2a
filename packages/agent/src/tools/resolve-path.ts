import { homedir } from 'node:os';
import { toolPath } from 'anyhook';

/** From the agent's folder, `~` for the home: as self-protection reads it, by the same function. */
export const resolvePath = (cwd: string, path: string): string => toolPath(path, { cwd, home: homedir() });
