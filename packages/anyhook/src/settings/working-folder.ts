import { existsSync } from 'node:fs';
import { dirname } from 'node:path';

/** Returns the working directory or, if it was deleted, the nearest parent that still exists. */
export function workingFolder(): string {
  try {
    return process.cwd();
  } catch {
    let folder = process.env['PWD'] ?? '/';
    while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder);
    return existsSync(folder) ? folder : '/';
  }
}
