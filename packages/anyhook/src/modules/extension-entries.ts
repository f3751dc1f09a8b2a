/** Finds the entry files of an extension package of pi or oh-my-pi: those in its `package.json`, or an index file. */

import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { join, resolve, sep, basename, dirname, relative } from 'node:path';
import picomatch from 'picomatch';
import { isPlain } from '../events/changes.ts';
import type { ModuleSelection } from '../events/dialect.ts';
import { textOfFile } from '../settings/read-file.ts';

/**
 * Plain globs select files; without any, all files are selected. `!glob` excludes, `+path` includes again, `-path`
 * excludes finally. A glob is matched against the path below the folder or its parent, the file name, and the full
 * path.
 */
function chosenBy(patterns: readonly string[], root: string): (file: string) => boolean {
  const marked = (mark: string) =>
    patterns.filter((one) => one.startsWith(mark)).map((one) => one.slice(mark.length));
  const globs = patterns.filter((one) => !/^[!+-]/.test(one)).map(fits);
  const [out, inAgain, outForGood] = [marked('!').map(fits), marked('+'), marked('-')];
  const isOne = (paths: readonly string[], file: string) =>
    paths.some((path) => [root, dirname(root)].some((from) => resolve(from, path) === file));
  return (file) => {
    const names = [relative(root, file), relative(dirname(root), file), basename(file), file].map((name) =>
      name.replaceAll(sep, '/'),
    );
    const isChosen = globs.length === 0 || names.some((name) => globs.some((one) => one(name)));
    const isOut = names.some((name) => out.some((one) => one(name)));
    return ((isChosen && !isOut) || isOne(inAgain, file)) && !isOne(outForGood, file);
  };
}

const fits = (glob: string): ((name: string) => boolean) =>
  picomatch(glob.replace(/^\.\//, ''), { dot: true });

const INDEX = ['index.ts', 'index.mts', 'index.js', 'index.mjs', 'index.cjs'];
const MODULE = /(?<!\.d)\.[cm]?[jt]s$/;
const GLOB = /[*?[{]/;

/** Returns a file as is. Empty: the folder contains no extension. */
export function extensionEntries(
  path: string,
  { from, patterns }: ModuleSelection = { from: 'package' },
): readonly string[] {
  if (!isFolder(path)) return [path];
  if (patterns?.length === 0 && from === 'package') return [];
  const found =
    entriesOf(path) ?? (from === 'folder' ? modulesIn(path) : modulesIn(join(path, 'extensions')));
  return patterns === undefined ? found : found.filter(chosenBy(patterns, path));
}

/** Whether the folder is a package of themes, skills or prompts. */
export const bringsOther = (folder: string): boolean =>
  manifestsIn(folder).length > 0 ||
  ['skills', 'prompts', 'themes'].some((name) => existsSync(join(folder, name)));

/** Real paths of the manifests being read. A manifest may list its own folder or a parent folder. */
type Open = ReadonlySet<string>;

/** Returns the files listed in the manifest, otherwise the index file. */
function entriesOf(folder: string, open: Open = new Set()): readonly string[] | undefined {
  const index = INDEX.map((name) => join(folder, name)).find((file) => existsSync(file));
  const start = index === undefined ? undefined : [index];
  const real = realpathSync(folder);
  if (open.has(real)) return start;
  const entries = manifestsIn(folder)
    .flatMap(({ extensions }) => extensions)
    .filter((entry): entry is string => typeof entry === 'string');
  const isPattern = (entry: string) => GLOB.test(entry) || /^[!+-]/.test(entry);
  const listed = entries
    .filter((entry) => !isPattern(entry))
    .map((entry) => resolve(folder, entry))
    .flatMap((place) => (isFolder(place) ? modulesIn(place, new Set([...open, real])) : [place]));
  const globs = entries.filter(isPattern);
  const all =
    globs.length === 0 ? listed : [...listed, ...modulesBelow(folder).filter(chosenBy(globs, folder))];
  return all.length > 0 ? [...new Set(all)] : start;
}

/** Returns files, and entries of folders that are extensions. */
function modulesIn(folder: string, open: Open = new Set()): readonly string[] {
  if (!isFolder(folder)) return [];
  return (
    entriesOf(folder, open) ??
    namesIn(folder)
      .map((name) => join(folder, name))
      .flatMap((place) =>
        isFolder(place) ? (entriesOf(place, open) ?? []) : MODULE.test(place) ? [place] : [],
      )
  );
}

const namesIn = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => !name.startsWith('.') && name !== 'node_modules')
    .toSorted();

const modulesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => MODULE.test(name) && !name.split(sep).includes('node_modules'))
    .toSorted()
    .map((name) => join(folder, name));

function manifestsIn(folder: string): Readonly<Record<string, unknown>>[] {
  try {
    const about: unknown = JSON.parse(textOfFile(join(folder, 'package.json')) ?? '');
    return isPlain(about) ? [about['pi'], about['omp']].filter(isPlain) : [];
  } catch {
    return [];
  }
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
