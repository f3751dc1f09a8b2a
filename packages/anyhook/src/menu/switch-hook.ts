/**
 * Disables and enables hooks. If an agent's own settings can disable a single hook, the change goes there and applies in that
 * agent too. Otherwise it goes into our settings, by id and content of the hook.
 */

import { anyhook } from '../agents/anyhook/dialect/index.ts';
import type { SwitchedOff } from '../agents/anyhook/dialect/switched-off.ts';
import { DIALECTS, findDialect } from '../dialects.ts';
import type { Locations } from '../events/dialect.ts';
import { type Hook, isBuiltIn, label } from '../events/hook.ts';
import { Unreadable } from '../install/json-text.ts';
import type { TargetFile } from '../install/target.ts';
import { readSettingsFile } from '../settings/read-file.ts';
import { changedText, type FileEdit, openTarget, removed, valueIn } from './file-edit.ts';

export interface Switching extends FileEdit {
  readonly layer: 'user' | 'project';
}

export const hasOwnSwitch = ({ dialect }: Hook): boolean =>
  findDialect(dialect)?.config.ownSwitch !== undefined;

/** Why a hook cannot be disabled; undefined if it can. */
export function whyNotSwitchable({ origin }: Hook): string | undefined {
  if (isBuiltIn({ origin })) return 'it keeps the agent from changing your guards';
  if (origin.layer === 'session') return 'the program itself provides it';
  return origin.layer === 'managed' ? 'it is your organisation’s' : undefined;
}

/** Throws `Unreadable`, with a message for the user, if it is impossible. */
export function switchOffIn(hook: Hook, locations: Locations): Switching {
  const { target, path, item, layer } = switchPlaceOf(hook, locations);
  const list = listAt(valueIn(target), path);
  if (list !== undefined && !Array.isArray(list))
    throw new Unreadable(`${target.file}: "${path.join('.')}" is not a list.`);
  const change = list === undefined ? { path, to: [item] } : { path: [...path, list.length], to: item };
  return { ...changedText(target, change), layer };
}

export function switchOnIn(hook: Hook, locations: Locations): Switching {
  const { target, path, item, layer } = switchPlaceOf(hook, locations);
  const list = listAt(valueIn(target), path);
  const at = Array.isArray(list) ? list.findIndex((entry) => isSame(entry, item)) : -1;
  if (!Array.isArray(list) || at === -1)
    throw new Unreadable(`${target.file} does not disable it. Go back and open it again.`);
  if (list.length > 1) return { ...changedText(target, { path: [...path, at], to: undefined }), layer };
  // Removes the list with its last item, and containers that were created for it.
  const value = valueIn(target);
  const around = path.length > 1 ? (value[path[0]!] as object) : undefined;
  const isAlone = around !== undefined && Object.keys(around).length === 1;
  const edit = changedText(target, { path: isAlone ? path.slice(0, 1) : path, to: undefined });
  const isEmpty = /^\s*\{\s*\}\s*$/.test(edit.text ?? '');
  return { ...(isEmpty ? removed(target) : edit), layer };
}

interface SwitchPlace {
  readonly target: TargetFile;
  readonly path: readonly string[];
  readonly item: string | SwitchedOff;
  readonly layer: 'user' | 'project';
}
function switchPlaceOf(hook: Hook, locations: Locations): SwitchPlace {
  const own = findDialect(hook.dialect)?.config.ownSwitch;
  if (own !== undefined) {
    const layer = hook.origin.layer === 'project' ? 'project' : 'user';
    return {
      target: openTarget(hook.origin.file, layer, locations),
      path: own.list,
      item: own.nameOf(hook),
      layer,
    };
  }
  const place = anyhook.config.places(locations).find(({ layer }) => layer === 'user');
  if (place === undefined) throw new Unreadable('there is no home folder to store disabled hooks in.');
  const runs = label(hook);
  const item = { id: hook.id, ...(hook.id.endsWith(runs) ? {} : { runs }) };
  return { target: openTarget(place.file, 'user', locations), path: ['disabled'], item, layer: 'user' };
}

const listAt = (value: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((part, key) => (part as Record<string, unknown> | undefined)?.[key], value);

/** A user may write only the id by hand. */
const isSame = (entry: unknown, item: SwitchPlace['item']): boolean =>
  typeof item === 'string'
    ? entry === item
    : entry === item.id ||
      (typeof entry === 'object' && entry !== null && (entry as SwitchedOff).id === item.id);

/** Hooks that an agent's own settings disable are missing from the list, so they are read again for display. */
export function offByOwnSwitch(hooks: readonly Hook[], locations: Locations): readonly Hook[] {
  const known = new Set(hooks.map(({ id }) => id));
  return DIALECTS.flatMap(({ config: { ownSwitch, places, read } }) =>
    (ownSwitch === undefined ? [] : places(locations)).flatMap((place) => {
      const found = readSettingsFile(place.file);
      if (found.kind !== 'text') return [];
      const { hooks: here, settings } = read(found.text, place);
      const off = new Set(((settings?.['disabled'] ?? []) as readonly unknown[]).map(String));
      return here.filter((hook) => !known.has(hook.id) && off.has(ownSwitch!.nameOf(hook)));
    }),
  );
}
