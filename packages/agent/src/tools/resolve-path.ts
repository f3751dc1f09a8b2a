import { homedir } from 'node:os';
import { toolPath } from 'anyhook';

/** Resolves a path with the same function as self-protection: relative to the agent's folder, `~` is the home. */
export const resolvePath = (cwd: string, path: string): string => toolPath(path, { cwd, home: homedir() });
