/** What `anyhook add` brings: files, and which of them are modules with hooks. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, extname, join, relative, sep } from 'node:path';
import { isFields } from '../../canon/fields.ts';
import { MODULE_ENDINGS } from '../../dialects/anyhook/places.ts';
import { UsageError } from '../console/usage.ts';

export interface Pack {
  readonly name: string;
  /** Where it came from, in words that `add` understands again. */
  readonly from: string;
  /** Path below its folder, with `/`, to content. */
  readonly files: ReadonlyMap<string, Buffer>;
  /** Those of them that hold hooks. */
  readonly modules: readonly string[];
}

/** The content as one hash, whatever the order in which files were found. */
export function hashOf({ files }: Pick<Pack, 'files'>): string {
  const sum = createHash('sha256');
  for (const [path, bytes] of [...files].toSorted(([a], [b]) => (a < b ? -1 : 1)))
    sum.update(`${path}\0${bytes.length}\0`).update(bytes);
  return `sha256:${sum.digest('hex')}`;
}

const MODULE = new RegExp(`(?:${MODULE_ENDINGS.map((one) => one.replace('.', '\\.')).join('|')})$`);
const isModule = (path: string): boolean => MODULE.test(path) && !/\.(?:test|spec|cases|d)\.\w+$/.test(path);

export function packOfFile(file: string, from: string): Pack {
  const name = basename(file);
  if (!isModule(name))
    throw new UsageError(`add: ${file} is no module of hooks (${MODULE_ENDINGS.join(', ')})`);
  return {
    name: basename(file, extname(file)),
    from,
    files: new Map([[name, readFileSync(file)]]),
    modules: [name],
  };
}

export function packOfFolder(folder: string, name: string, from: string): Pack {
  const files = filesBelow(folder);
  const modules = modulesIn(files);
  if (modules.length === 0) throw new UsageError(`add: ${from} holds no module of hooks${foreignIn(files)}`);
  return { name, from, files, modules };
}

/** Not followed: what a link leads to is not what was looked at. */
export function filesBelow(folder: string): Map<string, Buffer> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => relative(folder, file).split(sep).join('/'))
    .filter((path) => !/(^|\/)(?:node_modules|\.git)\//.test(path));
  return new Map(paths.toSorted().map((path) => [path, readFileSync(join(folder, path))]));
}

/** What its manifest names under `anyhook.hooks`; else what lies in `hooks`, else what lies at the top. */
function modulesIn(files: ReadonlyMap<string, Buffer>): string[] {
  const named = namedIn(files.get('package.json'));
  if (named !== undefined) {
    const missing = named.find((path) => !files.has(path));
    if (missing !== undefined)
      throw new UsageError(`add: its package.json names ${missing}, which is not there`);
    return named;
  }
  const modules = [...files.keys()].filter(isModule);
  const inFolder = modules.filter((path) => /^hooks\/[^/]+$/.test(path));
  return inFolder.length > 0 ? inFolder : modules.filter((path) => !path.includes('/'));
}

function namedIn(manifest: Buffer | undefined): string[] | undefined {
  if (manifest === undefined) return undefined;
  let said: unknown;
  try {
    said = JSON.parse(manifest.toString());
  } catch (error) {
    throw new UsageError(`add: its package.json cannot be read: ${(error as Error).message}`);
  }
  if (!isFields(said)) return undefined;
  const needs = Object.keys(isFields(said['dependencies']) ? said['dependencies'] : {});
  const others = needs.filter((name) => name !== 'anyhook');
  if (others.length > 0)
    throw new UsageError(
      `add: it depends on ${others.join(', ')}, which a pinned copy would lack; only packs without dependencies can be added`,
    );
  const hooks = isFields(said['anyhook']) ? said['anyhook']['hooks'] : undefined;
  return Array.isArray(hooks) ? hooks.map((path) => String(path).replace(/^\.\//, '')) : undefined;
}

/** What other agents' packs are known by, and where those belong. */
const FOREIGN: Readonly<Record<string, string>> = {
  '.claude-plugin/plugin.json': 'a plugin of Claude Code: install it there, and anyhook reads it from there',
  'hooks/hooks.json': 'hooks of Claude Code: their place is its settings, which anyhook reads',
};
function foreignIn(files: ReadonlyMap<string, Buffer>): string {
  const found = Object.keys(FOREIGN).find((path) => files.has(path));
  return found === undefined ? '' : `; it is ${FOREIGN[found]!}`;
}
