import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The folder of an installed package, resolved like Node from `from`; undefined if it is not installed. */
export function packageFolder(name: string, from: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules', name);
    if (isPackageFolder(candidate)) return candidate;
    if (dirname(folder) === folder) return undefined;
  }
}

export const isPackageFolder = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
