/**
 * Checks files that the host reads by itself. Most agents ignore typos silently, which leaves a guard disabled. The user gets a
 * warning at session start.
 */

import { isBridge, isBridgeModule } from '../agents/own-entries.ts';
import { DIALECTS } from '../dialects.ts';
import type { Dialect, Locations, ModuleFinder } from '../events/dialect.ts';
import { type Problem, show } from '../events/problems.ts';
import type { LeftHooks } from '../gather/left-hooks.ts';
import type { Options } from '../gather/options.ts';
import { loadSettings } from '../settings/load.ts';
import { partsLeft } from './dialects-read.ts';
import { projectLocations } from './project-root.ts';

/** As in `settings.without`: `goose`, or `goose@/part/` for only those files. */
const dialectsLeft = (without: readonly string[] = []): readonly Dialect[] =>
  DIALECTS.flatMap((dialect) => {
    if (without.includes(dialect.name)) return dialect;
    const parts = partsLeft(without, dialect);
    if (parts.length === 0) return [];
    const isLeft = (file: string) => parts.some((part) => file.includes(part));
    const places: Dialect['config']['places'] = (where) =>
      dialect.config.places(where).filter(({ file }) => isLeft(file));
    const finder = dialect.moduleFinder;
    const find: ModuleFinder['find'] = (where, named) => {
      const found = finder!.find(where, named);
      return { ...found, modules: found.modules.filter(({ file }) => isLeft(file)) };
    };
    return {
      ...dialect,
      config: { ...dialect.config, places },
      ...(finder && { moduleFinder: { ...finder, find } }),
    };
  });

/** Hooks and modules that the host runs by itself. Their files are protected as if we ran them. */
export function hooksLeft(without: readonly string[] | undefined, locations: Locations): LeftHooks {
  const dialects = dialectsLeft(without);
  if (dialects.length === 0) return { hooks: [], modules: [] };
  const { hooks } = loadSettings(dialects, locations);
  return {
    hooks: hooks.filter((hook) => !isBridge(hook)),
    modules: dialects.flatMap(({ moduleFinder }) =>
      (moduleFinder?.find(locations, []).modules ?? [])
        .filter(({ file }) => !isBridgeModule(file))
        .map(({ file, layer, asker }) => ({ file, layer, asker: asker.file, line: asker.line })),
    ),
  };
}

export function placesLeft(without: readonly string[], where: Pick<Options, 'cwd'>): readonly string[] {
  const locations = projectLocations(where);
  return dialectsLeft(without).flatMap(({ config }) => config.places(locations).map(({ file }) => file));
}

/**
 * Lines for the user. A newer agent may have keys that we do not know, so only a near match of a known key counts as a typo.
 */
export function typosLeft(without: readonly string[] | undefined, locations: Locations): readonly string[] {
  const dialects = dialectsLeft(without);
  if (dialects.length === 0) return [];
  const { problems } = loadSettings(dialects, locations);
  return problems.filter(isTypo).map((problem) => `anyhook: ${show(problem)}; see: anyhook list`);
}

const isTypo = ({ code, severity, remedy = '' }: Problem): boolean =>
  severity === 'error' &&
  (code === 'syntax' ||
    code === 'duplicate-key' ||
    code === 'unknown-key' ||
    (code === 'unknown-event' && remedy.startsWith('Did you mean')));
