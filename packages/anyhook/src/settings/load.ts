/** Reads every settings file of every dialect. Runs nothing, imports nothing, changes no environment. */
import type { ConfigRead, Dialect, Locations, NamedModule, Place, FileSettings } from '../canon/dialect.ts';
import type { Fields } from '../canon/effects.ts';
import { type EventWord, readEventWord } from '../canon/event-words.ts';
import { type Hook, LAYERS, type Layer } from '../canon/hook.ts';
import type { Problem, ProblemCode } from '../canon/problems.ts';
import { once } from './once.ts';
import { readSettingsFile } from './read-file.ts';

export interface ModuleFile extends NamedModule {
  readonly dialect: string;
}
export interface LoadedSettings {
  /** Laid out: layer, file, place. */
  readonly hooks: readonly Hook[];
  readonly modules: readonly ModuleFile[];
  readonly problems: readonly Problem[];
  /** Settings of the whole engine, by layer: the stricter layer comes first. */
  readonly settings: readonly { readonly layer: Layer; readonly file: string; readonly values: Fields }[];
  /** The files that were there. */
  readonly files: readonly Place[];
  /** Files of which nothing can be known, not even whether they held a guard. */
  readonly unread: readonly UnreadFile[];
}
export interface UnreadFile {
  readonly dialect: string;
  readonly place: Place;
  readonly problem: Problem;
}

/** Settings that are in no file: what a running server hands out. The place says whose they are. */
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
): LoadedSettings {
  const hooks: Hook[] = [];
  const modules: ModuleFile[] = [];
  const problems: Problem[] = [];
  const settings: LoadedSettings['settings'][number][] = [];
  const files: Place[] = [];
  const unread: UnreadFile[] = [];
  const wordFor = (word: string) => readEventWord(word, dialects);
  const said = new Map<Dialect, FileSettings[]>(dialects.map((dialect) => [dialect, []]));
  const take = (dialect: Dialect, text: string, place: Place) => {
    files.push(place);
    const read = readSafely(dialect, text, place, wordFor);
    const admitted = dialect.config.admit?.(place, said.get(dialect)!) ?? true;
    if (admitted !== true) {
      if (admitted !== false && read.hooks.length > 0) problems.push(admitted);
      return;
    }
    if (read.settings !== undefined) said.get(dialect)!.push({ place, settings: read.settings });
    hooks.push(...read.hooks);
    modules.push(...read.modules.map((module) => ({ ...module, dialect: dialect.name })));
    problems.push(...read.problems);
    const problem = read.problems.find(concernsAll);
    if (problem !== undefined) unread.push({ dialect: dialect.name, place, problem });
    if (read.settings !== undefined)
      settings.push({ layer: place.layer, file: place.file, values: read.settings });
  };
  const places = placesOf(dialects, locations).filter(({ place }) => layers.includes(place.layer));
  for (const layer of LAYERS) {
    for (const { dialect, place } of places.filter((one) => one.place.layer === layer)) {
      const found = readSettingsFile(place.file);
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

/** A file that two dialects read is read by the dialect that owns it. */
const placesOf = (dialects: readonly Dialect[], locations: Locations) =>
  dialects.flatMap((dialect) =>
    dialect.config
      .places(locations)
      .filter(({ owner }) => !dialects.some(({ name }) => name === owner))
      .map((place) => ({ dialect, place })),
  );

/** Said about the document, not about a place in it: then none of it was taken. */
const concernsAll = ({ severity, key, code }: Problem): boolean =>
  severity === 'error' && key === undefined && WHOLE.has(code);
const WHOLE: ReadonlySet<ProblemCode> = new Set(['syntax', 'duplicate-key', 'too-deep', 'wrong-type']);

const unknownDialect = (name: string, { file }: Place): Problem => ({
  code: 'unknown-dialect',
  file,
  message: `is written in ${JSON.stringify(name)}, a dialect that is not read here.`,
  severity: 'error',
});

/** A reader that throws is our bug, but it must not take the other files with it. */
export function readSafely(
  dialect: Dialect,
  text: string,
  place: Place,
  wordFor: (word: string) => EventWord,
): ConfigRead {
  try {
    return dialect.config.read(text, place, wordFor);
  } catch (error) {
    const message = `could not be read as ${dialect.name} settings: ${(error as Error).message}.`;
    return {
      hooks: [],
      modules: [],
      problems: [{ code: 'syntax', file: place.file, message, severity: 'error' }],
    };
  }
}
