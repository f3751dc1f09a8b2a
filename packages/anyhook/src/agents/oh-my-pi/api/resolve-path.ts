import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** Keeps absolute paths, expands `~` to the home folder, and resolves others against `cwd`. */
export function resolvePath(path: string, cwd: string, home: string = homedir()): string {
  if (path === '~') return home;
  if (path.startsWith('~/') || path.startsWith('~\\')) return join(home, path.slice(2));
  return resolve(cwd, path);
}
