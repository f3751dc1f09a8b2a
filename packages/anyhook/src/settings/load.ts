/** Reads every settings file of every dialect. Runs nothing, imports nothing, changes no environment. */
import type { ConfigRead, Dialect, Ground, Place } from '../canon/dialect.ts';
import type { Fields } from '../canon/effects.ts';
import { type Hook, LAYERS, type Layer } from '../canon/hook.ts';
import type { Problem } from '../canon/problems.ts';
import { once } from './once.ts';
import { readSettingsFile } from './read-file.ts';

export interface ModuleFile {
  readonly file: string;
  readonly place: Place;
  readonly line: number;
  readonly dialect: string;
}
export interface Loaded {
  /** Laid out: layer, file, place. */
  readonly hooks: readonly Hook[];
  readonly modules: readonly ModuleFile[];
  readonly problems: readonly Problem[];
  /** Settings of the whole engine, by layer: the stricter layer comes first. */
  readonly settings: readonly { readonly layer: Layer; readonly file: string; readonly values: Fields }[];
  /** The files that were there. */
  readonly files: readonly Place[];
}

export function loadSettings(
  dialects: readonly Dialect[],
  ground: Ground,
  layers: readonly Layer[] = LAYERS,
): Loaded {
  const hooks: Hook[] = [];
  const modules: ModuleFile[] = [];
  const problems: Problem[] = [];
  const settings: Loaded['settings'][number][] = [];
  const files: Place[] = [];
  for (const { dialect, place } of placesOf(dialects, ground, layers)) {
    const found = readSettingsFile(place.file);
    if (found.kind === 'missing') continue;
    files.push(place);
    if (found.kind === 'problem') {
      problems.push(found.problem);
      continue;
    }
    const read = readSafely(dialect, found.text, place);
    hooks.push(...read.hooks);
    modules.push(...read.modules.map((module) => ({ ...module, dialect: dialect.name })));
    problems.push(...read.problems);
    if (read.settings !== undefined)
      settings.push({ layer: place.layer, file: place.file, values: read.settings });
  }
  return { hooks: once(hooks, ground.cwd), modules, problems, settings, files };
}

function placesOf(dialects: readonly Dialect[], ground: Ground, layers: readonly Layer[]) {
  const all = dialects.flatMap((dialect) =>
    dialect.config.places(ground).map((place) => ({ dialect, place })),
  );
  return LAYERS.filter((layer) => layers.includes(layer)).flatMap((layer) =>
    all.filter(({ place }) => place.layer === layer),
  );
}

/** A reader that throws is our bug, but it must not take the other files with it. */
function readSafely(dialect: Dialect, text: string, place: Place): ConfigRead {
  try {
    return dialect.config.read(text, place);
  } catch (error) {
    const message = `could not be read as ${dialect.name} settings: ${(error as Error).message}.`;
    return {
      hooks: [],
      modules: [],
      problems: [{ code: 'syntax', file: place.file, message, severity: 'error' }],
    };
  }
}
