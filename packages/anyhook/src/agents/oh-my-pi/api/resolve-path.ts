import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** Absolute as it is, `~` as the home folder, the rest from `cwd`. */
export function resolvePath(path: string, cwd: string, home: string = homedir()): string {
  if (path === '~') return home;
  if (path.startsWith('~/') || path.startsWith('~\\')) return join(home, path.slice(2));
  return resolve(cwd, path);
}
