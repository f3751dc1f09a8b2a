/** Reads every settings file of every dialect. Runs nothing, imports nothing and changes no environment. */

import { join } from 'node:path';
import { same } from '../events/changes.ts';
import type { Dialect, Locations, NamedModule, Place, FileSettings } from '../events/dialect.ts';
import type { Fields } from '../events/effects.ts';
import { type Hook, LAYERS, type Layer, type OnFailure, type OnOpaque, type Way } from '../events/hook.ts';
import { readEventWord } from '../events/native-names.ts';
import type { Problem, ProblemCode } from '../events/problems.ts';
import { isReaderFailure } from '../events/safe-readers.ts';
import { readSettingsFile, type SettingsFileRead } from './read-file.ts';

/**
 * Merges hooks that two files configure identically. The hook runs once under the stricter policy and keeps
 * both origins.
 */
const STRICT: Record<OnFailure, number> = { allow: 0, ask: 1, block: 2 };
const WARY: Record<OnOpaque, number> = { allow: 0, run: 1, ask: 2, block: 3 };

export function once(hooks: readonly Hook[], cwd: string): Hook[] {
  const merged: Hook[] = [];
  const places = new Map<string, number>();
  for (const hook of hooks) {
    const key = keyOf(hook, cwd);
    const at = key === null ? undefined : places.get(key);
    if (at !== undefined) merged[at] = stricter(merged[at]!, hook);
    else if (key === null) merged.push(hook);
    else places.set(key, merged.push(hook) - 1);
  }
  return merged;
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
  const { sticky: _off, ...kept } = first;
  return {
    ...(second.sticky === false ? first : kept),
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

export const loadSettings = (
  dialects: readonly Dialect[],
  locations: Locations,
  layers: readonly Layer[] = LAYERS,
  sources: readonly SettingsSource[] = [],
  readFile: (file: string) => SettingsFileRead = readSettingsFile,
): LoadedSettings => new SettingsLoader(dialects, locations, readFile).load(layers, sources);

/** Collects the content of all settings files; each file adds to what was read before. */
class SettingsLoader {
  readonly #dialects: readonly Dialect[];
  readonly #locations: Locations;
  readonly #readFile: (file: string) => SettingsFileRead;
  readonly #hooks: Hook[] = [];
  readonly #modules: ModuleFile[] = [];
  readonly #problems: Problem[] = [];
  readonly #settings: LoadedSettings['settings'][number][] = [];
  readonly #files: Place[] = [];
  readonly #unread: UnreadFile[] = [];
  readonly #settingsByDialect: ReadonlyMap<Dialect, FileSettings[]>;

  constructor(
    dialects: readonly Dialect[],
    locations: Locations,
    readFile: (file: string) => SettingsFileRead,
  ) {
    this.#dialects = dialects;
    this.#locations = locations;
    this.#readFile = readFile;
    this.#settingsByDialect = new Map(dialects.map((dialect) => [dialect, []]));
  }

  load(layers: readonly Layer[], sources: readonly SettingsSource[]): LoadedSettings {
    const places = placesOf(this.#dialects, this.#locations).filter(({ place }) =>
      layers.includes(place.layer),
    );
    for (const layer of LAYERS) {
      for (const { dialect, place } of places.filter((one) => one.place.layer === layer))
        this.#takeFile(dialect, place);
      for (const source of sources.filter((one) => one.place.layer === layer)) this.#takeSource(source);
    }
    return {
      hooks: once(this.#settled(), this.#locations.cwd),
      modules: this.#modules,
      problems: this.#problems,
      settings: this.#settings,
      files: this.#files,
      unread: this.#unread,
    };
  }

  #takeFile(dialect: Dialect, place: Place): void {
    const found = this.#readPlace(place);
    if (found.kind === 'text') this.#take(dialect, found.text, place);
    if (found.kind === 'problem') {
      this.#files.push(place);
      this.#problems.push(found.problem);
      this.#unread.push({ dialect: dialect.name, place, problem: found.problem });
    }
  }

  #takeSource({ dialect: name, text, place }: SettingsSource): void {
    const dialect = this.#dialects.find((one) => one.name === name);
    if (dialect !== undefined) this.#take(dialect, text, place);
    else this.#problems.push(unknownDialect(name, place));
  }

  #take(dialect: Dialect, text: string, place: Place, { shadow }: { shadow?: true } = {}): void {
    this.#files.push(place);
    const earlierSettings = this.#settingsByDialect.get(dialect)!;
    const read = dialect.config.read(text, place, (word) => readEventWord(word, this.#dialects));
    const admitted = dialect.config.admit?.(place, earlierSettings) ?? true;
    if (admitted !== true) {
      if (admitted === false || read.hooks.length === 0) return;
      this.#problems.push(admitted);
      if (isReaderFailure(admitted)) this.#unread.push({ dialect: dialect.name, place, problem: admitted });
      return;
    }
    if (read.settings !== undefined) earlierSettings.push({ place, settings: read.settings });
    this.#hooks.push(...read.hooks.map((hook) => (shadow ? { ...hook, shadow } : hook)));
    this.#problems.push(...read.problems);
    for (const module of read.modules) {
      if (module.dialect === undefined) this.#modules.push({ ...module, dialect: dialect.name });
      else this.#takeForeign({ ...module, dialect: module.dialect });
    }
    const problem = read.problems.find(concernsAll);
    if (problem !== undefined) this.#unread.push({ dialect: dialect.name, place, problem });
    if (read.settings !== undefined)
      this.#settings.push({ layer: place.layer, file: place.file, values: read.settings });
  }

  /**
   * Handles a module or pack of another agent. A module is loaded, and the settings of a pack are read, as
   * that agent would do.
   */
  #takeForeign(module: ModuleFile): void {
    const { dialect: name, file, place, settings } = module;
    const theirs = this.#dialects.find((one) => one.name === name);
    if (theirs === undefined) return void this.#problems.push(unknownDialect(name, place, module.line));
    if (theirs.moduleFinder !== undefined) return void this.#modules.push(module);
    if (theirs.config.packPlace === undefined) return void this.#problems.push(noPacks(name, module));
    const pack = { folder: inHome(file, this.#locations), layer: place.layer, ...(settings && { settings }) };
    const at = theirs.config.packPlace(pack, this.#locations);
    const found = this.#readPlace(at);
    if (found.kind === 'text') return this.#take(theirs, found.text, at, module);
    if (found.kind === 'missing') return void this.#problems.push(nothingAt(module, at));
    this.#problems.push(found.problem);
    if (isReaderFailure(found.problem))
      this.#unread.push({ dialect: theirs.name, place: at, problem: found.problem });
  }

  #readPlace({ file, fault }: Place): SettingsFileRead {
    return fault === undefined ? this.#readFile(file) : { kind: 'problem', problem: fault };
  }

  /** Applies the settings of all files to the hooks. */
  #settled(): Hook[] {
    return this.#hooks.flatMap((hook) => {
      const dialect = this.#dialects.find(({ name }) => name === hook.dialect);
      const final = dialect?.config.settle?.(hook, this.#settingsByDialect.get(dialect)!) ?? { hook };
      if (final.problem !== undefined) this.#problems.push(final.problem);
      return final.hook ?? [];
    });
  }
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
