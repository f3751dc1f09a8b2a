/** Finds modules of other dialects, and reports files in their folders that are not modules. */

import { isBridgeModule } from '../agents/own-entries.ts';
import type { ForeignModuleFile } from '../events/dialect.ts';
import type { Hook, Layer } from '../events/hook.ts';
import type { Problem } from '../events/problems.ts';
import { bringsOther, extensionEntries } from '../modules/extension-entries.ts';
import type { ModuleFile } from '../settings/load.ts';
import type { Sources } from './gather.ts';
import type { FoundForeign } from './load-foreign.ts';

export interface FoundForeignModules {
  readonly modules: readonly FoundForeign[];
  /** Shell hook files, if scripts should run as commands. */
  readonly scripts: readonly Hook[];
  readonly problems: readonly Problem[];
}

export function findForeignModules(
  { options, dialects, locations }: Pick<Sources, 'options' | 'dialects' | 'locations'>,
  named: readonly ModuleFile[],
  layers: readonly Layer[],
  isCounted: (layer: Layer, dialect: string) => boolean = () => true,
): FoundForeignModules {
  const runsScripts = options.modules?.scripts === 'run';
  const read = dialects.filter(({ moduleFinder }) => moduleFinder !== undefined);
  if (layers.length === 0) return { modules: [], scripts: [], problems: [] };
  const found = read.map((dialect) => {
    const theirs = dialect.moduleFinder!.find(
      locations,
      named.filter((one) => one.dialect === dialect.name),
    );
    const isWanted = (layer: Layer) => layers.includes(layer) && isCounted(layer, dialect.name);
    const scripts = (theirs.scripts ?? []).filter(({ origin }) => isWanted(origin.layer));
    return {
      modules: theirs.modules
        .filter(({ layer }) => isWanted(layer))
        .flatMap(filesOrFault)
        .filter(({ file }) => !isBridgeModule(file))
        .map((one) => ({ ...one, dialect })),
      scripts: runsScripts ? scripts : [],
      problems: [...theirs.problems, ...(runsScripts ? [] : scripts.map(notRun))],
    };
  });
  return {
    modules: found.flatMap(({ modules }) => modules),
    scripts: found.flatMap(({ scripts }) => scripts),
    problems: found.flatMap(({ problems }) => problems),
  };
}

/** A settings file in shadow mode puts every module that it names in shadow mode, even modules written by others. */
export function inShadowOf(named: readonly ModuleFile[]): (hook: Hook) => Hook {
  const paths = named.flatMap(({ file, shadow }) => (shadow ? [file] : []));
  const isNamed = (file: string) => paths.some((path) => file === path || file.startsWith(`${path}/`));
  return (hook) => (paths.length > 0 && isNamed(hook.origin.file) ? { ...hook, shadow: true } : hook);
}

/** A folder that cannot be listed may contain a guard, so it counts as a module that failed to load. */
function filesOrFault(
  found: ForeignModuleFile,
): readonly (ForeignModuleFile & { readonly fault?: Problem })[] {
  try {
    return filesOf(found);
  } catch (error) {
    const { select: _, ...one } = found;
    const message = `refers to ${one.file}, which could not be read (${(error as Error).message}).`;
    const remedy = 'Check its package.json and permissions, or remove it from the settings.';
    return [{ ...one, fault: { code: 'reader-failed', ...one.asker, message, remedy, severity: 'error' } }];
  }
}

/** Returns each module of a folder. The loader reports files without hooks, except packages of something else. */
function filesOf(found: ForeignModuleFile): readonly ForeignModuleFile[] {
  const { select, ...one } = found;
  if (select === undefined) return [one];
  const files = extensionEntries(one.file, select);
  if (files.length === 0)
    return select.from === 'folder' || isChosenAway(found) || bringsOther(one.file) ? [] : [one];
  return files.map((file) => ({
    ...one,
    file,
    ...(select.from === 'folder' && { asker: { file, line: 1 } }),
  }));
}
const isChosenAway = ({ file, select }: ForeignModuleFile): boolean =>
  select?.patterns !== undefined && extensionEntries(file, { from: select.from }).length > 0;

const notRun = ({ origin }: Hook): Problem => ({
  code: 'not-loaded',
  file: origin.file,
  message: 'does not run: it is a shell script, and hooks here must be modules.',
  remedy: "Name it in a settings file, or let such files run as commands (modules: { scripts: 'run' }).",
  severity: 'warning',
});
