/** Finds extensions: in folders of pi and oh-my-pi, and those in the settings of pi. */

import { dirname, isAbsolute, join, resolve } from 'node:path';
import type {
  ForeignModuleFile,
  ForeignModuleFiles,
  Locations,
  NamedModule,
  Place,
} from '../../../events/dialect.ts';
import type { Layer } from '../../../events/hook.ts';
import type { Problem } from '../../../events/problems.ts';
import { piFolder } from './pi-settings.ts';

/** Patterns for files in a folder: `!glob` and `-path` exclude, `+path` includes again. */
const PATTERN = /^[!+-]/;

/** User extensions before project extensions. A folder that both agents share is listed for each. */
export function extensionsIn(
  locations: Locations,
  named: readonly NamedModule[],
): Pick<ForeignModuleFiles, 'modules' | 'problems'> {
  const lying = foldersOf(locations).flatMap(({ folder, layer }) => {
    if ((locations.list?.(folder) ?? []).length === 0) return [];
    const select = named.filter(({ file, place }) => place.layer === layer && PATTERN.test(file));
    return [
      {
        file: folder,
        layer,
        asker: { file: folder, line: 1 },
        select: { from: 'folder' as const, patterns: select.map(({ file }) => file) },
      },
    ];
  });
  const asked = named.filter(({ file }) => !PATTERN.test(file)).map((module) => located(module, locations));
  const modules = [...lying, ...asked.filter((one): one is ForeignModuleFile => 'layer' in one)];
  return {
    modules: (['user', 'project'] as const).flatMap((layer) => modules.filter((one) => one.layer === layer)),
    problems: asked.filter((one): one is Problem => 'code' in one),
  };
}

interface Folder {
  readonly folder: string;
  readonly layer: Layer;
}
const foldersOf = (locations: Locations): readonly Folder[] => [
  { folder: join(piFolder(locations), 'extensions'), layer: 'user' },
  { folder: join(locations.home, '.omp', 'agent', 'extensions'), layer: 'user' },
  { folder: join(locations.cwd, '.pi', 'extensions'), layer: 'project' },
  { folder: join(locations.cwd, '.omp', 'extensions'), layer: 'project' },
];

/** Paths are relative to the settings file; packages are in pi's install folder. */
function located(module: NamedModule, locations: Locations): ForeignModuleFile | Problem {
  const { file: source, place, line, options } = module;
  const file = placeOf(source, place, locations.home);
  if (source.startsWith('npm:') || isGit(source)) {
    const isThere = (locations.list?.(file) ?? []).length > 0;
    if (!isThere) return notInstalled(source, place, line);
  }
  const patterns = (options as { readonly extensions?: readonly string[] } | undefined)?.extensions;
  return {
    file,
    layer: place.layer,
    asker: { file: place.file, line },
    select: { from: 'package', ...(patterns !== undefined && { patterns }) },
  };
}

function placeOf(source: string, { file }: Place, home: string): string {
  const base = dirname(file);
  if (source.startsWith('npm:')) return join(base, 'npm', 'node_modules', nameIn(source.slice(4)));
  if (isGit(source)) return join(base, 'git', repositoryIn(source));
  const path = /^~(?=\/|$)/.test(source) ? join(home, source.slice(1)) : source;
  return isAbsolute(path) ? path : resolve(base, path);
}

const nameIn = (spec: string): string => /^(@[^/]+\/)?[^@/]+/.exec(spec.trim())?.[0] ?? spec;
const isGit = (source: string): boolean => /^(?:git:|git@|https?:|ssh:|git\+)/.test(source);

/** `git:github.com/a/b@v1`, `https://github.com/a/b.git`, `git@github.com:a/b` → `github.com/a/b`. */
const repositoryIn = (source: string): string =>
  source
    .replace(/^(?:git:(?!\/\/)|git\+)/, '')
    .replace(/^\w+:\/\//, '')
    .replace(/^[^/@]+@/, '')
    .replace(/^([^/:]+):/, '$1/')
    .replace(/[#@][^/]*(?:\/[^/]*)*$/, '')
    .replace(/\.git$/, '');

const notInstalled = (source: string, { file, layer }: Place, line: number): Problem => ({
  code: 'not-loaded',
  file,
  line,
  key: 'packages',
  message: `the package ${JSON.stringify(source)} is not installed`,
  remedy: `Install it: pi install ${layer === 'project' ? '--local ' : ''}${source}`,
  severity: 'error',
});
