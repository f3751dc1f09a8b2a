/** The module files of oh-my-pi, for a host that brings them to life. */
import { extname, join } from 'node:path';
import type { Locations, ModuleFinder, ForeignModuleFiles } from '../../../events/dialect.ts';
import type { Problem } from '../../../events/problems.ts';
import { extensionsIn } from './extensions.ts';
import { discover, type DiscoveredHook, type FolderReader, type SkippedFile } from './discover.ts';
import { isScript, hookFromScript } from './script.ts';

const MODULES: ReadonlySet<string> = new Set(['.ts', '.mts', '.cts', '.js', '.mjs', '.cjs']);

export const moduleFinder: ModuleFinder = {
  find(locations, named): ForeignModuleFiles {
    const extensions = extensionsIn(locations, named);
    const { hooks, shadowed, warnings } = discover(locations.home, locations.cwd, lookOf(locations));
    const isModule = ({ name }: DiscoveredHook) => MODULES.has(extname(name));
    return {
      modules: [
        ...hooks
          .filter(isModule)
          .map(({ path, level }) => ({ file: path, layer: level, asker: { file: path, line: 1 } })),
        ...extensions.modules,
      ],
      scripts: hooks.filter(isScript).map(hookFromScript),
      problems: [
        ...extensions.problems,
        ...warnings.map(passed),
        ...shadowed.map(({ path }) =>
          passed({ path, error: 'is not loaded: one of the same name came before it' }),
        ),
        ...hooks
          .filter((found) => !isModule(found) && !isScript(found))
          .map(({ path }) =>
            passed({
              path,
              error: 'is not loaded: neither a JavaScript or TypeScript module nor a shell script',
            }),
          ),
      ],
    };
  },
  clash: { commands: 'first', renderers: 'first' },
  takesNamed: true,
};

const NOTHING = (): readonly string[] => [];

/** A name under which something lies is a folder: a list of names tells no more. */
function lookOf({ list = NOTHING, obstacle = () => undefined }: Locations): FolderReader {
  const names = (folder: string) =>
    list(folder)
      .filter((name) => !name.startsWith('.'))
      .toSorted();
  const isFolder = (folder: string) => (name: string) => list(join(folder, name)).length > 0;
  return {
    files: (folder) => names(folder).filter((name) => !isFolder(folder)(name)),
    folders: (folder) => names(folder).filter(isFolder(folder)),
    obstacle,
  };
}

const passed = ({ path, error }: SkippedFile): Problem => ({
  code: 'not-loaded',
  file: path,
  message: `${error}.`,
  severity: 'warning',
});
