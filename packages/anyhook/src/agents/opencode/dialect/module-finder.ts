/** Finds plugins: those in the `plugin` lists of settings, and files in OpenCode's folders. */

import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type {
  ForeignModuleFile,
  Locations,
  ModuleFinder,
  ForeignModuleFiles,
  NamedModule,
} from '../../../events/dialect.ts';
import type { Layer } from '../../../events/hook.ts';
import type { Problem } from '../../../events/problems.ts';

export const moduleFinder: ModuleFinder = { find, clash: { tools: 'last', auth: 'last' } };

interface Candidate extends ForeignModuleFile {
  /** One plugin per key: the package name, or the file. */
  readonly key: string;
}

/** In OpenCode's order: the global list, the project's, the global folder, the project's. */
function find(locations: Locations, named: readonly NamedModule[]): ForeignModuleFiles {
  if (['1', 'true'].includes(locations.env['OPENCODE_PURE']?.toLowerCase() ?? ''))
    return { modules: [], problems: pureProblems(named) };
  const asked = named.map((module) => locate(module, locations));
  const listed = asked.filter((one) => 'layer' in one);
  const lying = foldersOf(locations, ['plugin', 'plugins']).flatMap((one) => [
    ...filesIn(one, locations),
    ...packagesIn(one, locations),
  ]);
  const tools = foldersOf(locations, ['tool', 'tools']).flatMap((one) => filesIn(one, locations));
  const { kept, problems } = once([
    ...listed,
    ...lying,
    ...tools.map((one) => ({ ...one, as: 'tools' as const })),
  ]);
  return {
    modules: kept.map(({ key: _key, ...found }) => found),
    problems: [...asked.filter((one) => 'code' in one), ...problems],
  };
}

/**
 * Paths are relative to the file that names them. Packages are located by folder, and only the host may read their
 * `package.json`.
 */
function locate(
  { file: spec, place, line, options }: NamedModule,
  locations: Locations,
): Candidate | Problem {
  const found = (file: string, key: string): Candidate => ({
    file,
    key,
    layer: place.layer,
    asker: { file: place.file, line },
    ...(options !== undefined && { options }),
  });
  const from = dirname(place.file);
  const path = pathOf(spec, from, locations.home);
  if (path !== undefined) return found(path, path);
  const name = nameOf(spec);
  const homes = [
    from,
    ...above(place.layer === 'project' ? locations.cwd : from),
    ...configFolders(locations),
  ];
  const home = name === undefined ? undefined : homes.find((folder) => has(folder, name, locations));
  if (name !== undefined && home !== undefined) return found(join(home, 'node_modules', name), name);
  return {
    code: 'not-loaded',
    file: place.file,
    line,
    key: 'plugin',
    message: `the plugin ${JSON.stringify(spec)} is not installed`,
    remedy: name === undefined ? 'Install it and write its name here.' : `Install it: npm install ${spec}`,
    severity: 'error',
  };
}

function pathOf(spec: string, from: string, home: string): string | undefined {
  if (spec === '~' || spec.startsWith('~/')) return join(home, spec.slice(1));
  if (spec.startsWith('.') || isAbsolute(spec)) return resolve(from, spec);
  if (!spec.startsWith('file:')) return undefined;
  try {
    return fileURLToPath(spec);
  } catch {
    return undefined;
  }
}

/** The name under which npm installs it: without version; for an alias, the alias. */
const nameOf = (spec: string): string | undefined =>
  /^(?:npm:)?((?:@[\w~-][\w.~-]*\/)?[a-z0-9~-][\w.~-]*)(?:@.*)?$/i.exec(spec)?.[1];

function has(folder: string, name: string, { list = () => [] }: Locations): boolean {
  const path = join(folder, 'node_modules', name);
  return list(dirname(path)).includes(basename(path));
}

const above = (folder: string): string[] =>
  dirname(folder) === folder ? [folder] : [folder, ...above(dirname(folder))];

const xdg = (set: string | undefined, fallback: string): string =>
  join(set !== undefined && isAbsolute(set) ? set : fallback, 'opencode');
const configFolders = ({ home, env }: Locations): readonly string[] => [
  xdg(env['XDG_CONFIG_HOME'], join(home, '.config')),
  xdg(env['XDG_CACHE_HOME'], join(home, '.cache')),
];

interface Folder {
  readonly folder: string;
  readonly layer: Layer;
}

function foldersOf(locations: Locations, names: readonly string[]): Folder[] {
  const { home, cwd, env } = locations;
  const users = [xdg(env['XDG_CONFIG_HOME'], join(home, '.config')), join(home, '.opencode')];
  const projects = [join(cwd, '.opencode')].filter((folder) => !users.includes(folder));
  const layered = (layer: Layer, folders: readonly string[]) =>
    folders.flatMap((folder) => names.map((name) => ({ folder: join(folder, name), layer })));
  return [...layered('user', users), ...layered('project', projects)];
}

const filesIn = ({ folder, layer }: Folder, { list = () => [] }: Locations): Candidate[] =>
  list(folder)
    .filter((name) => /\.(ts|js)$/.test(name) && !name.endsWith('.d.ts') && !name.startsWith('.'))
    .toSorted()
    .map((name) => {
      const file = join(folder, name);
      return { file, key: file, layer, asker: { file, line: 1 } };
    });

/** Folders with package layout start at the entry of their `package.json`, or at their index file. */
const packagesIn = ({ folder, layer }: Folder, { list = () => [] }: Locations): Candidate[] =>
  list(folder)
    .filter((name) => !/^\.|\.[a-z]+$/.test(name) && list(join(folder, name)).some((one) => ENTRY.test(one)))
    .toSorted()
    .map((name) => {
      const file = join(folder, name);
      return { file, key: file, layer, asker: { file, line: 1 } };
    });
const ENTRY = /^(?:package\.json|index\.(?:ts|js))$/;

/**
 * If a plugin is named twice, the last declaration counts, at its own position. A project's declaration does not
 * replace the user's, because a cloned repository must not disable a guard or change its options.
 */
function once(all: readonly Candidate[]): { readonly kept: Candidate[]; readonly problems: Problem[] } {
  const users = new Set(all.flatMap(({ layer, key }) => (layer === 'project' ? [] : [key])));
  const isSecond = ({ layer, key }: Candidate) => layer === 'project' && users.has(key);
  const counted = all.filter((one) => !isSecond(one));
  const last = new Map(counted.map(({ key }, index) => [key, index]));
  return {
    kept: counted.filter(({ key }, index) => last.get(key) === index),
    problems: all.filter(isSecond).map(({ asker, key }) => ({
      code: 'duplicate-hook',
      file: asker.file,
      line: asker.line,
      message: `the plugin ${key} is also in your own settings, which take precedence`,
      severity: 'warning',
    })),
  };
}

const pureProblems = (named: readonly NamedModule[]): Problem[] =>
  named.map(({ file, place, line }) => ({
    code: 'not-loaded',
    file: place.file,
    line,
    message: `the plugin ${JSON.stringify(file)} is not loaded: OPENCODE_PURE is set`,
    severity: 'warning',
  }));
