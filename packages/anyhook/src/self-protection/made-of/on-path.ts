import { accessSync, constants, statSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** Where the PATH leads; empty if nowhere: a builtin or a function, mostly. */
export function resolveOnPath(name: string, path: string, cwd: string): string {
  for (const folder of path.split(':')) {
    const file = join(resolve(cwd, folder), name);
    try {
      accessSync(file, constants.X_OK);
      if (statSync(file).isFile()) return file;
    } catch {
      // not in this folder
    }
  }
  return '';
}
