/** Everything that settings are read from, told by the dialects themselves: what they would look at is written down. */
import { foldersOf } from '../../../assembly/folders.ts';
import type { Dialect, Ground } from '../../../canon/dialect.ts';
import { modulePlaces } from '../../../dialects/anyhook/index.ts';
import { type Looked, namesAt, textAt } from './silence.ts';

/** Undefined where something was there that cannot be known by its text: code, or what cannot be read. */
export function look(dialects: readonly Dialect[], ground: Required<Ground>): Looked | undefined {
  const env: Record<string, string | null> = {};
  const folders: Record<string, readonly string[] | null> = {};
  const files: Record<string, string | null> = {};
  let isKnown = true;
  const list = (folder: string): readonly string[] => {
    const names = namesAt(folder);
    if (names === undefined) isKnown = false;
    folders[folder] = names ?? null;
    return names ?? [];
  };
  const watched: Ground = {
    ...ground,
    env: new Proxy(ground.env, {
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
    obstacle(folder) {
      list(folder);
      const found = ground.obstacle(folder);
      if (found !== undefined) isKnown = false;
      return found;
    },
  };
  list(foldersOf(ground).late); // what a background hook said wakes an event that nobody listens to
  for (const dialect of dialects)
    for (const place of dialect.config.places(watched)) {
      const text = textAt(place.file);
      if (text === undefined) return undefined;
      files[place.file] = text;
      if (text !== null && dialect.config.read(text, place).modules.length > 0) return undefined;
    }
  for (const { guest } of dialects) {
    const found = guest?.find(watched, []);
    if (found !== undefined && found.modules.length + (found.scripts ?? []).length > 0) return undefined;
  }
  for (const { folder, endings } of modulePlaces(watched))
    if (list(folder).some((name) => endings.some((ending) => name.endsWith(ending)))) return undefined;
  return isKnown ? { files, folders, env } : undefined;
}
