/** Finds files of a folder that match a pattern and that git does not ignore. */

import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import ignore, { type Ignore } from 'ignore';
import { glob } from 'tinyglobby';

/** Paths relative to the folder, sorted. */
export async function foundFiles(
  folder: string,
  pattern: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const names = await glob([pattern], {
    cwd: folder,
    dot: true,
    followSymbolicLinks: false,
    expandDirectories: false,
    ignore: ['**/.git/**', ...(pattern.includes('node_modules') ? [] : ['**/node_modules/**'])],
    signal,
  });
  signal.throwIfAborted();
  const isIgnored = gitIgnores(folder);
  return names.filter((name) => !isIgnored(join(folder, name))).toSorted();
}

function gitIgnores(folder: string): (file: string) => boolean {
  const root = repositoryOf(folder) ?? folder;
  const rules = new Map<string, Ignore | undefined>();
  const rulesOf = (at: string) => {
    if (!rules.has(at)) rules.set(at, rulesIn(at));
    return rules.get(at);
  };
  return (file) => {
    const steps = relative(root, file).split(sep);
    let isIgnored = false;
    for (let depth = 0; depth < steps.length; depth++) {
      const found = rulesOf(join(root, ...steps.slice(0, depth)));
      const judged = found?.test(steps.slice(depth).join('/'));
      // The .gitignore nearest to the file decides.
      isIgnored = (isIgnored || judged?.ignored === true) && judged?.unignored !== true;
    }
    return isIgnored;
  };
}

function rulesIn(folder: string): Ignore | undefined {
  try {
    return ignore().add(readFileSync(join(folder, '.gitignore'), 'utf8'));
  } catch {
    return undefined; // The folder has no .gitignore.
  }
}

function repositoryOf(folder: string): string | undefined {
  if (existsSync(join(folder, '.git'))) return folder;
  return dirname(folder) === folder ? undefined : repositoryOf(dirname(folder));
}
