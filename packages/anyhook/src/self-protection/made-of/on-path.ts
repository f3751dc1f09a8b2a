import { accessSync, constants, statSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** The path of a program on the PATH; empty if there is none, as for builtins and functions. */
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
