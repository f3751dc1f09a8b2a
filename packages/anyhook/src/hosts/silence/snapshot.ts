/** Everything that settings are read from, told by the dialects themselves: what they would look at is written down. */
import { existsSync } from 'node:fs';
import { foldersOf } from '../../assembly/folders.ts';
import { projectRoot } from '../library/project-root.ts';
import type { Dialect, Locations } from '../../canon/dialect.ts';
import { modulePlaces } from '../../dialects/anyhook/index.ts';
import { topmostMissing } from '../../settings/disk-record.ts';
import { readSettingsFile } from '../../settings/read-file.ts';
import { type SettingsSnapshot, namesAt, fileTextAt } from './recall.ts';

/**
 * Undefined where something was there that cannot be known by its text: code, or what cannot be read.
 * `more`: files besides the settings on which silence hangs.
 */
export function snapshotOf(
  dialects: readonly Dialect[],
  locations: Required<Locations>,
  more: readonly string[],
): SettingsSnapshot | undefined {
  const env: Record<string, string | null> = {};
  const folders: Record<string, readonly string[] | null> = {};
  const files: Record<string, string | null> = {};
  const there: Record<string, boolean> = {};
  let isKnown = true;
  const list = (folder: string): readonly string[] => {
    const names = namesAt(folder);
    if (names === undefined) isKnown = false;
    folders[folder] = names ?? null;
    return names ?? [];
  };
  const watched: Required<Locations> = {
    ...locations,
    env: new Proxy(locations.env, {
      get(target, name) {
        if (typeof name === 'string') env[name] = target[name] ?? null;
        return Reflect.get(target, name) as string | undefined;
      },
      ownKeys(target) {
        isKnown = false; // it looks at all of them
        return Reflect.ownKeys(target);
      },
    }),
    list,
    read(file) {
      const text = fileTextAt(file);
      if (text === undefined) isKnown = false;
      files[file] = text ?? null;
      return text ?? undefined;
    },
    obstacle(folder) {
      list(folder);
      const found = locations.obstacle(folder);
      if (found !== undefined) isKnown = false;
      return found;
    },
  };
  list(foldersOf(locations).sessions); // what a background hook said wakes an event that nobody listens to
  // Of an organisation's folder it also counts whose it is.
  if (existsSync(locations.managed.folder)) return undefined;
  for (const file of more) {
    const text = fileTextAt(file);
    if (text === undefined) return undefined;
    files[file] = text;
  }
  // Hooks may come nearer than they were, or lie further up: the way to them is remembered too.
  const cwd = projectRoot(watched, {
    isThere: (path) => (there[path] = existsSync(path)),
    read(file) {
      const found = readSettingsFile(file);
      if (found.kind === 'problem') isKnown = false;
      else files[file] = found.kind === 'text' ? found.text : null;
      return found;
    },
  });
  const project = { ...watched, cwd };
  for (const dialect of dialects)
    for (const place of dialect.config.places(project)) {
      const text = fileTextAt(place.file);
      if (text === undefined) return undefined;
      files[place.file] = text;
      if (text !== null && dialect.config.read(text, place).modules.length > 0) return undefined;
    }
  for (const { moduleFinder } of dialects) {
    const found = moduleFinder?.find(project, []);
    if (found !== undefined && found.modules.length + (found.scripts ?? []).length > 0) return undefined;
  }
  for (const { folder, endings } of modulePlaces(project))
    if (list(folder).some((name) => endings.some((ending) => name.endsWith(ending)))) return undefined;
  if (!isKnown) return undefined;
  const nothing = [...Object.entries(files), ...Object.entries(folders)].flatMap(([path, found]) =>
    found === null ? [topmostMissing(path)] : [],
  );
  return { files: found(files), folders: found(folders), missing: [...new Set(nothing)], env, there };
}

const found = <T>(looked: Readonly<Record<string, T | null>>): Record<string, T> =>
  Object.fromEntries(Object.entries(looked).filter((entry): entry is [string, T & {}] => entry[1] !== null));
