/** Finds the entry point of a plugin package. Its `package.json` may only name files inside its own folder. */

import { existsSync, realpathSync } from 'node:fs';
import { isAbsolute, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isPlain } from '../events/changes.ts';
import { readSettingsFile } from '../settings/read-file.ts';

export type PackageEntry = { readonly file: string; readonly name?: string } | { readonly fault: string };

const INDEX = ['index.ts', 'index.mts', 'index.js', 'index.mjs', 'index.cjs'];

/**
 * Uses `exports["./server"]`, then `main`, like OpenCode. Otherwise resolves like Node: `exports["."]`, then an index
 * file. OpenCode releases before `./server` did the same.
 */
export function packageEntry(folder: string): PackageEntry {
  const about = readAbout(folder);
  if ('fault' in about) return about;
  const { exports, main, name } = about.json;
  const asked =
    (isPlain(exports) ? targetOf(exports['./server']) : undefined) ??
    wordOf(main) ??
    targetOf(isPlain(exports) && '.' in exports ? exports['.'] : exports) ??
    INDEX.find((file) => existsSync(join(folder, file)));
  if (asked === undefined) return { fault: `${folder} has no entry point and no index file` };
  const file = within(folder, asked);
  if (file === undefined) return { fault: `its entry ${JSON.stringify(asked)} is outside ${folder}` };
  if (!existsSync(file)) return { fault: `its entry ${file} does not exist` };
  return typeof name === 'string' ? { file, name } : { file };
}

type About = { readonly json: Readonly<Record<string, unknown>> } | { readonly fault: string };
function readAbout(folder: string): About {
  const file = join(folder, 'package.json');
  const read = readSettingsFile(file);
  if (read.kind === 'missing') return { json: {} };
  if (read.kind === 'problem') return { fault: `${file} ${read.problem.message.replace(/\.$/, '')}` };
  try {
    const json: unknown = JSON.parse(read.text);
    return isPlain(json) ? { json } : { fault: `${file} is not an object` };
  } catch (error) {
    return { fault: `${file} cannot be read: ${(error as Error).message}` };
  }
}

const wordOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;

/** Tries conditions in the order of an importing Node. They may be nested. */
function targetOf(value: unknown): string | undefined {
  if (!isPlain(value)) return wordOf(value);
  for (const condition of ['import', 'module-sync', 'node', 'default', 'require']) {
    const found = targetOf(value[condition]);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Resolves links first, because a link inside the package may point outside. */
function within(folder: string, asked: string): string | undefined {
  const path = asked.startsWith('file:') ? fileURLToPath(asked) : resolve(folder, asked);
  const file = [path, `${path}.js`, join(path, 'index.js')].find(isFileLike) ?? path;
  const real = existsSync(file) ? realpathSync(file) : file;
  const root = existsSync(file) ? realpathSync(folder) : folder;
  const way = relative(root, real);
  return way === '' || way.startsWith('..') || isAbsolute(way) ? undefined : file;
}

const isFileLike = (path: string): boolean => existsSync(path) && /\.[^/\\]+$/.test(path);
