/** Finds the module files of our own dialect: those in its folders, and those that `hookPaths` names. */

import { readdirSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import picomatch from 'picomatch';
import type { Layer } from '../events/hook.ts';
import type { Problem } from '../events/problems.ts';
import type { ModuleFile } from './load.ts';

export interface FoundModule {
  readonly file: string;
  readonly layer: Layer;
  /** The settings file or folder that names it. */
  readonly asker: string;
  readonly line: number;
  /** Its hooks run and are recorded, but their decisions are not enforced. */
  readonly shadow?: true;
}
export interface FoundModules {
  readonly modules: readonly FoundModule[];
  readonly problems: readonly Problem[];
}
interface Folder {
  readonly layer: Layer;
  readonly folder: string;
  readonly endings: readonly string[];
  readonly shadow?: true;
}

/** Sorted within a folder. A file that is found twice counts once, at its first position. */
export function findModules(
  folders: readonly Folder[],
  named: readonly ModuleFile[],
  home: string,
): FoundModules {
  const problems: Problem[] = [];
  const modules = new Map<string, FoundModule>();
  const add = (module: FoundModule) => void (modules.has(module.file) || modules.set(module.file, module));
  for (const { layer, folder, endings, shadow } of folders)
    for (const file of filesIn(folder, (name) => endings.some((ending) => name.endsWith(ending))))
      if (!/\.(test|spec|d)\.[a-z]+$/.test(file))
        add({ file, layer, asker: folder, line: 1, ...(shadow && { shadow }) });
  for (const module of named) {
    const files = expand(module, home);
    if (files.length === 0) problems.push(nothingAt(module));
    for (const file of files)
      add({
        file,
        layer: module.place.layer,
        asker: module.place.file,
        line: module.line,
        ...(module.shadow && { shadow: true }),
      });
  }
  return { modules: [...modules.values()], problems };
}

function expand({ file, place }: ModuleFile, home: string): string[] {
  const path = file.startsWith('~/') ? join(home, file.slice(2)) : file;
  const absolute = isAbsolute(path) ? path : resolve(dirname(place.file), path);
  if (!/[*?[{]/.test(absolute)) return isFile(absolute) ? [absolute] : [];
  const base = staticPart(absolute);
  const fits = picomatch(absolute, { dot: true });
  return walk(base, 8).filter((found) => fits(found));
}

/** Returns the folder before the first wildcard. */
const staticPart = (glob: string): string => dirname(glob.slice(0, glob.search(/[*?[{]/)) + 'x');

function walk(folder: string, depth: number): string[] {
  if (depth === 0) return [];
  return entriesOf(folder).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return basename(path) === 'node_modules' ? [] : walk(path, depth - 1);
    return entry.isFile() ? [path] : [];
  });
}

const filesIn = (folder: string, fits: (name: string) => boolean): string[] =>
  entriesOf(folder)
    .filter((entry) => fits(entry.name) && (entry.isFile() || isFile(join(folder, entry.name))))
    .map((entry) => join(folder, entry.name));

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true }).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return [];
  }
}
function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

const nothingAt = ({ file, place, line }: ModuleFile): Problem => ({
  code: 'not-loaded',
  file: place.file,
  line,
  key: 'hookPaths',
  message: `${JSON.stringify(file)} matches no file.`,
  remedy: 'Paths are relative to this settings file.',
  severity: 'error',
});
