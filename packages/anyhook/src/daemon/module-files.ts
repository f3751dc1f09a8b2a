/** The files that modules were loaded from: the loader of ES modules does not pass through `node:fs`. */

import { readFileSync } from 'node:fs';
import { dirname, extname, isAbsolute, resolve } from 'node:path';
import type { Hooks } from '../library/hooks.ts';
import { javascriptRefs } from '../shell/references/javascript.ts';

const MOST = 5000;

/**
 * The modules of these hooks, and every file that an import in them could mean, whether it exists or not. Packages that they import are
 * left out.
 */
export function moduleFilesOf({ hooks, problems }: Pick<Hooks, 'hooks' | 'problems'>): readonly string[] {
  const found = new Set<string>();
  const ahead = [
    ...hooks.flatMap(({ run, origin }) => (run.kind === 'command' ? [] : [origin.file])),
    ...problems.flatMap(({ file }) => file ?? []),
  ].filter((file) => isAbsolute(file));
  for (let file = ahead.pop(); file !== undefined && found.size < MOST; file = ahead.pop()) {
    if (found.has(file)) continue;
    found.add(file);
    if (/\.[cm]?[jt]sx?$/.test(extname(file))) ahead.push(...importedBy(file));
  }
  return [...found];
}

function importedBy(file: string): string[] {
  try {
    return javascriptRefs(readFileSync(file, 'utf8')).near.map((path) => resolve(dirname(file), path));
  } catch {
    return [];
  }
}
