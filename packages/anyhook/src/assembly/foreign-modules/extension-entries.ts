/** Where an extension package of pi or oh-my-pi starts: the files its `package.json` lists, or an index file. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isPlain } from '../../canon/changes.ts';

const INDEX = ['index.ts', 'index.mts', 'index.js', 'index.mjs', 'index.cjs'];
const MODULE = /(?<!\.d)\.[cm]?[jt]s$/;

/** A file is itself; none: the folder holds no extension. */
export function extensionEntries(path: string): readonly string[] {
  if (!isFolder(path)) return [path];
  const listed = listedIn(join(path, 'package.json')).flatMap((entry) => {
    const place = resolve(path, entry);
    return isFolder(place) ? lyingIn(place) : [place];
  });
  if (listed.length > 0) return listed;
  return INDEX.map((name) => join(path, name))
    .filter((file) => existsSync(file))
    .slice(0, 1);
}

/** Files, and folders that are extensions themselves. */
function lyingIn(folder: string): string[] {
  const own = INDEX.map((name) => join(folder, name)).find((file) => existsSync(file));
  if (own !== undefined) return [own];
  return readdirSync(folder)
    .toSorted()
    .map((name) => join(folder, name))
    .flatMap((place) => (isFolder(place) ? extensionEntries(place) : MODULE.test(place) ? [place] : []));
}

function listedIn(file: string): string[] {
  try {
    const about: unknown = JSON.parse(readFileSync(file, 'utf8'));
    const manifests = isPlain(about) ? [about['pi'], about['omp']].filter(isPlain) : [];
    return manifests
      .flatMap(({ extensions }) => extensions)
      .filter((entry): entry is string => typeof entry === 'string');
  } catch {
    return [];
  }
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
