/** Where modules of other dialects lie, and what in their folders is none. */
import type { Hook, Layer } from '../canon/hook.ts';
import type { Problem } from '../canon/problems.ts';
import type { ModuleFile } from '../settings/load.ts';
import { isBridgeModule } from '../agents/own-entries.ts';
import type { Sources } from './gather.ts';
import { wantedSettings } from './settings-of.ts';
import type { FoundForeign } from './load-foreign.ts';

export interface FoundForeignModules {
  readonly modules: readonly FoundForeign[];
  /** Shell-style files, where they shall run. */
  readonly scripts: readonly Hook[];
  readonly problems: readonly Problem[];
}

export function findForeignModules(
  { options, dialects, locations }: Pick<Sources, 'options' | 'dialects' | 'locations'>,
  named: readonly ModuleFile[],
  layers: readonly Layer[],
): FoundForeignModules {
  const { without = [] } = wantedSettings(options);
  const runsScripts = options.modules?.scripts === 'run';
  const read = dialects.filter(
    ({ name, moduleFinder }) => moduleFinder !== undefined && !without.includes(name),
  );
  if (layers.length === 0) return { modules: [], scripts: [], problems: [] };
  const found = read.map((dialect) => {
    const theirs = dialect.moduleFinder!.find(
      locations,
      named.filter((one) => one.dialect === dialect.name),
    );
    const scripts = (theirs.scripts ?? []).filter(({ origin }) => layers.includes(origin.layer));
    return {
      modules: theirs.modules
        .filter(({ layer, file }) => layers.includes(layer) && !isBridgeModule(file))
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

const notRun = ({ origin }: Hook): Problem => ({
  code: 'not-loaded',
  file: origin.file,
  message: 'is a shell script and not run: hooks there are modules.',
  remedy: "Name it in a settings file, or let such files run as commands (modules: { scripts: 'run' }).",
  severity: 'warning',
});
