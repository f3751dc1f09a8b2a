/** Reads every settings file of every dialect. Runs nothing, imports nothing and changes no environment. */
import { join } from 'node:path';
import type { Dialect, Locations, NamedModule, Place, FileSettings } from '../events/dialect.ts';
import type { Fields } from '../events/effects.ts';
import { readEventWord } from '../events/native-names.ts';
import { type Hook, LAYERS, type Layer, type OnFailure, type OnOpaque, type Way } from '../events/hook.ts';
import type { Problem, ProblemCode } from '../events/problems.ts';
import { readSettingsFile, type SettingsFileRead } from './read-file.ts';
import { isReaderFailure } from '../events/safe-readers.ts';
import { same } from '../events/changes.ts';

/**
 * Merges hooks that two files configure identically. The hook runs once under the stricter policy and keeps
 * both origins.
 */
const STRICT: Record<OnFailure, number> = { allow: 0, ask: 1, block: 2 };
const WARY: Record<OnOpaque, number> = { allow: 0, run: 1, ask: 2, block: 3 };

export function once(hooks: readonly Hook[], cwd: string): Hook[] {
  const kept: Hook[] = [];
  const places = new Map<string, number>();
  for (const hook of hooks) {
    const key = keyOf(hook, cwd);
    const at = key === null ? undefined : places.get(key);
    if (at !== undefined) kept[at] = stricter(kept[at]!, hook);
    else if (key === null) kept.push(hook);
    else places.set(key, kept.push(hook) - 1);
  }
  return kept;
}

/** Functions are never merged: two that look alike may close over different values. */
function keyOf(hook: Hook, cwd: string): string | null {
  if (hook.run.kind === 'call' || hook.run.kind === 'missing') return null;
  const run: Way = hook.run.kind === 'command' ? { ...hook.run, cwd: hook.run.cwd ?? cwd } : hook.run;
  return JSON.stringify([hook.dialect, hook.on, hook.matcher ?? null, run, hook.extra ?? null]);
}

function stricter(first: Hook, second: Hook): Hook {
  const policies = [first.onFailure, second.onFailure].filter((policy) => policy !== undefined);
  const onFailure = policies.toSorted((a, b) => STRICT[b] - STRICT[a])[0];
  const [opaque] = [first.opaque, second.opaque]
    .filter((policy) => policy !== undefined)
    .toSorted((a, b) => WARY[b] - WARY[a]);
  return {
    ...first,
    ...(onFailure !== undefined && { onFailure }),
    ...(opaque !== undefined && { opaque }),
    shadow: first.shadow && second.shadow,
    background: first.background && second.background,
    roles: same(first.roles, second.roles) ? first.roles : [...new Set([...first.roles, ...second.roles])],
    also: [...(first.also ?? []), second.origin],
  };
}

export interface ModuleFile extends NamedModule {
  readonly dialect: string;
}
export interface LoadedSettings {
  /** Sorted by layer, file and position. */
  readonly hooks: readonly Hook[];
  readonly modules: readonly ModuleFile[];
  readonly problems: readonly Problem[];
  /** Settings of the whole engine, by layer. The stricter layer comes first. */
  readonly settings: readonly { readonly layer: Layer; readonly file: string; readonly values: Fields }[];
  /** The files that exist. */
  readonly files: readonly Place[];
  /** Unreadable files, which may have contained guards. */
  readonly unread: readonly UnreadFile[];
}
export interface UnreadFile {
  readonly dialect: string;
  readonly place: Place;
  readonly problem: Problem;
}

/** Settings that are not in a file, for example from a server. The place tells whose they are. */
export interface SettingsSource {
  readonly dialect: string;
  readonly text: string;
  readonly place: Place;
}

export function loadSettings(
  dialects: readonly Dialect[],
  locations: Locations,
  layers: readonly Layer[] = LAYERS,
  sources: readonly SettingsSource[] = [],
  readFile: (file: string) => SettingsFileRead = readSettingsFile,
): LoadedSettings {
  const hooks: Hook[] = [];
  const modules: ModuleFile[] = [];
  const problems: Problem[] = [];
  const settings: LoadedSettings['settings'][number][] = [];
  const files: Place[] = [];
  const unread: UnreadFile[] = [];
  const wordFor = (word: string) => readEventWord(word, dialects);
  const readPlace = ({ file, fault }: Place): SettingsFileRead =>
    fault === undefined ? readFile(file) : { kind: 'problem', problem: fault };
  const said = new Map<Dialect, FileSettings[]>(dialects.map((dialect) => [dialect, []]));
  const take = (dialect: Dialect, text: string, place: Place, { shadow }: { shadow?: true } = {}) => {
    files.push(place);
    const read = dialect.config.read(text, place, wordFor);
    const admitted = dialect.config.admit?.(place, said.get(dialect)!) ?? true;
    if (admitted !== true) {
      if (admitted === false || read.hooks.length === 0) return;
      problems.push(admitted);
      if (isReaderFailure(admitted)) unread.push({ dialect: dialect.name, place, problem: admitted });
      return;
    }
    if (read.settings !== undefined) said.get(dialect)!.push({ place, settings: read.settings });
    hooks.push(...read.hooks.map((hook) => (shadow ? { ...hook, shadow } : hook)));
    problems.push(...read.problems);
    for (const module of read.modules) {
      if (module.dialect === undefined) modules.push({ ...module, dialect: dialect.name });
      else takeForeign({ ...module, dialect: module.dialect });
    }
    const problem = read.problems.find(concernsAll);
    if (problem !== undefined) unread.push({ dialect: dialect.name, place, problem });
    if (read.settings !== undefined)
      settings.push({ layer: place.layer, file: place.file, values: read.settings });
  };
  /**
   * Handles a module or pack of another agent. A module is loaded, and the settings of a pack are read, as
   * that agent would do.
   */
  const takeForeign = (module: ModuleFile) => {
    const { dialect: name, file, place, settings } = module;
    const theirs = dialects.find((one) => one.name === name);
    if (theirs === undefined) problems.push(unknownDialect(name, place, module.line));
    else if (theirs.moduleFinder !== undefined) modules.push(module);
    else if (theirs.config.packPlace === undefined) problems.push(noPacks(name, module));
    else {
      const pack = { folder: inHome(file, locations), layer: place.layer, ...(settings && { settings }) };
      const at = theirs.config.packPlace(pack, locations);
      const found = readPlace(at);
      if (found.kind === 'text') take(theirs, found.text, at, module);
      else if (found.kind === 'missing') problems.push(nothingAt(module, at));
      else {
        problems.push(found.problem);
        if (isReaderFailure(found.problem))
          unread.push({ dialect: theirs.name, place: at, problem: found.problem });
      }
    }
  };
  const places = placesOf(dialects, locations).filter(({ place }) => layers.includes(place.layer));
  for (const layer of LAYERS) {
    for (const { dialect, place } of places.filter((one) => one.place.layer === layer)) {
      const found = readPlace(place);
      if (found.kind === 'text') take(dialect, found.text, place);
      if (found.kind === 'problem') {
        files.push(place);
        problems.push(found.problem);
        unread.push({ dialect: dialect.name, place, problem: found.problem });
      }
    }
    for (const { dialect: name, text, place } of sources.filter((one) => one.place.layer === layer)) {
      const dialect = dialects.find((one) => one.name === name);
      if (dialect !== undefined) take(dialect, text, place);
      else problems.push(unknownDialect(name, place));
    }
  }
  const settled = hooks.flatMap((hook) => {
    const dialect = dialects.find(({ name }) => name === hook.dialect);
    const final = dialect?.config.settle?.(hook, said.get(dialect)!) ?? { hook };
    if (final.problem !== undefined) problems.push(final.problem);
    return final.hook ?? [];
  });
  return { hooks: once(settled, locations.cwd), modules, problems, settings, files, unread };
}

/** If two dialects read a file, only the dialect that owns it does. */
const placesOf = (dialects: readonly Dialect[], locations: Locations) =>
  dialects.flatMap((dialect) =>
    dialect.config
      .places(locations)
      .filter(({ owner }) => !dialects.some(({ name }) => name === owner))
      .map((place) => ({ dialect, place })),
  );

/** Returns true for an error about the whole document, so that none of it was used. */
const concernsAll = ({ severity, key, code }: Problem): boolean =>
  severity === 'error' && key === undefined && WHOLE.has(code);
const WHOLE: ReadonlySet<ProblemCode> = new Set([
  'syntax',
  'duplicate-key',
  'too-deep',
  'wrong-type',
  'reader-failed',
]);

const inHome = (path: string, { home }: Locations): string =>
  path.startsWith('~/') ? join(home, path.slice(2)) : path;

const nothingAt = ({ file, place, line }: ModuleFile, { file: wanted }: Place): Problem => ({
  code: 'not-loaded',
  file: place.file,
  line,
  key: 'hookPaths',
  message: `${JSON.stringify(file)} has no hooks: ${wanted} does not exist.`,
  remedy: 'Paths are relative to this settings file; "settings" names the file with its hooks.',
  severity: 'error',
});

const noPacks = (name: string, { place, line }: ModuleFile): Problem => ({
  code: 'bad-value',
  file: place.file,
  line,
  key: 'hookPaths',
  message: `plugins of ${name} cannot be loaded from a folder.`,
  remedy: 'Add its hooks to its own settings file, which anyhook reads directly.',
  severity: 'error',
});

const unknownDialect = (name: string, { file }: Place, line?: number): Problem => ({
  code: 'unknown-dialect',
  file,
  ...(line !== undefined && { line }),
  message: `unknown dialect ${JSON.stringify(name)}.`,
  severity: 'error',
});
