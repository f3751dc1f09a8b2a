import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** As a shell would read it: from the agent's folder, `~` for the home. */
export const resolvePath = (cwd: string, path: string): string =>
  path === '~' || path.startsWith('~/') ? join(homedir(), path.slice(1)) : resolve(cwd, path);
