import { existsSync } from 'node:fs';
import { dirname } from 'node:path';

/** Where we are; in a folder that was deleted meanwhile, the nearest one above that is still there. */
export function workingFolder(): string {
  try {
    return process.cwd();
  } catch {
    let folder = process.env['PWD'] ?? '/';
    while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder);
    return existsSync(folder) ? folder : '/';
  }
}
