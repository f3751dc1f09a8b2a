/**
 * Finds installed plugins, their folders and the settings file that enables each. Reads Claude Code's own files:
 * `enabledPlugins` in settings, and the folders in `installed_plugins.json` and `known_marketplaces.json`. Based on
 * 2.1.325.
 */

import { isAbsolute, join, relative } from 'node:path';
import type { Locations } from '../../../events/dialect.ts';
import { readDocument } from '../../../events/document.ts';
import { isFields } from '../../../events/fields.ts';
import type { Layer } from '../../../events/hook.ts';

export interface ClaudePlugin {
  /** `name@marketplace` */
  readonly id: string;
  readonly root: string;
  readonly layer: Layer;
  /** The settings file that enables it. */
  readonly asker: string;
  /** The marketplace file, whose entry may also contain hooks. */
  readonly catalogue?: string;
  /** The user's answers to its questions, except secrets. */
  readonly options: Readonly<Record<string, string>>;
}
/** A plugin whose hooks do not run, and why. */
export interface IdlePlugin {
  readonly id: string;
  readonly file: string;
  readonly why: string;
}
export interface ClaudePlugins {
  readonly on: readonly ClaudePlugin[];
  readonly off: readonly IdlePlugin[];
}

type Json = Readonly<Record<string, unknown>>;
type Read = (file: string) => Json;

/** Caches files that several plugins need. Files without the searched text are not parsed. */
function reader({ read = () => undefined }: Locations, holds = /(?:)/): Read {
  const known = new Map<string, Json>();
  return (file) => {
    const before = known.get(file);
    if (before !== undefined) return before;
    const text = read(file);
    const value = text === undefined || !holds.test(text) ? undefined : readDocument(text, file).value;
    const found = isFields(value) ? value : {};
    known.set(file, found);
    return found;
  };
}
const part = (value: unknown, key: string): Json => {
  const found = isFields(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  return isFields(found) ? found : {};
};

export function claudePlugins(locations: Locations, base: string): ClaudePlugins {
  const read = reader(locations);
  const settings = reader(locations, /enabledPlugins|\\u/);
  const folder = pluginFolder(locations, base);
  const own = join(base, 'settings.json');
  // Later files win, and administrator settings come last.
  const files = [...new Set([own, ...projectFiles(locations), MANAGED_SETTINGS])];
  const ids = new Set(files.flatMap((file) => Object.keys(part(settings(file), 'enabledPlugins'))));
  const installed = part(read(join(folder, 'installed_plugins.json')), 'plugins');
  for (const id of Object.keys(installed)) ids.add(id);
  const on: ClaudePlugin[] = [];
  const off: IdlePlugin[] = [];
  for (const id of [...ids].filter((one) => ID.test(one))) {
    const says = (file: string) => part(settings(file), 'enabledPlugins')[id];
    const word = files.findLast((file) => says(file) !== undefined);
    const isOwn = says(own) === true && says(MANAGED_SETTINGS) !== false;
    const isManaged = says(MANAGED_SETTINGS) === true;
    if (!isOwn && (word === undefined || says(word) !== true)) {
      const file = word ?? join(folder, 'installed_plugins.json');
      off.push({
        id,
        file,
        why: word === undefined ? 'no settings file switches it on' : 'switched off here',
      });
      continue;
    }
    const found = rootOf(id, { read, folder, installed, cwd: locations.cwd });
    if ('why' in found) {
      off.push({ id, file: isOwn ? own : word!, why: found.why });
      continue;
    }
    if (found.isAlone && locations.read?.(manifestOf(found.root)) !== undefined) {
      off.push({
        id,
        file: found.catalogue!,
        why: 'its marketplace and its own manifest both list its contents',
      });
      continue;
    }
    const isProjects = (!isOwn && !isManaged) || isIn(locations.cwd, found.root);
    on.push({
      id,
      root: found.root,
      ...(found.catalogue !== undefined && { catalogue: found.catalogue }),
      layer: isProjects ? 'project' : 'user',
      asker: isOwn ? own : word!, // one of them enables it, as checked above
      options: optionsIn(part(part(part(read(own), 'pluginConfigs'), id), 'options')),
    });
  }
  return { on, off };
}

export const manifestOf = (root: string): string => join(root, '.claude-plugin', 'plugin.json');

/** The format of Claude Code's plugin ids. Other strings name no plugin. */
const ID = /^[a-z0-9][\w.-]*@[a-z0-9][\w.-]*$/i;

/** Written by administrators. No variable changes the path. */
export const MANAGED_SETTINGS = '/etc/claude-code/managed-settings.json';

const projectFiles = ({ cwd }: Locations): string[] =>
  ['settings.json', 'settings.local.json'].map((name) => join(cwd, '.claude', name));

export function pluginFolder({ env }: Locations, base: string): string {
  const named = env['CLAUDE_CODE_PLUGIN_CACHE_DIR'] ?? '';
  return isAbsolute(named) ? named : join(base, 'plugins');
}

/** The folder for plugin data that survives updates. */
export const pluginData = (locations: Locations, base: string, id: string): string =>
  join(pluginFolder(locations, base), 'data', id.replaceAll(/[^\w-]/g, '-'));

interface Register {
  readonly read: Read;
  readonly folder: string;
  readonly installed: Json;
  readonly cwd: string;
}
type Found =
  | (Pick<ClaudePlugin, 'root' | 'catalogue'> & {
      /** The marketplace entry is complete, so a manifest would be a second definition. */
      readonly isAlone?: boolean;
    })
  | { readonly why: string };

/** A marketplace in a local folder is read in place. Other marketplaces were copied at installation. */
function rootOf(id: string, { read, folder, installed, cwd }: Register): Found {
  const at = id.lastIndexOf('@');
  const [name, market] = [id.slice(0, at), id.slice(at + 1)];
  const known = part(read(join(folder, 'known_marketplaces.json')), market);
  const location = known['installLocation'];
  const place = typeof location === 'string' && isAbsolute(location) ? catalogueAt(location) : undefined;
  const list = place === undefined ? undefined : read(place.file)['plugins'];
  const entry = (Array.isArray(list) ? list : []).find((one) => isFields(one) && one['name'] === name) as
    | Json
    | undefined;
  const catalogue =
    entry?.['hooks'] === undefined ? {} : { catalogue: place!.file, isAlone: entry['strict'] === false };
  const kind = part(known, 'source')['source'];
  const source = entry?.['source'];
  if (place !== undefined && (kind === 'directory' || kind === 'file') && typeof source === 'string') {
    const root = inMarket(place.root, source, part(read(place.file), 'metadata')['pluginRoot']);
    return root === undefined
      ? { why: `${place.file} puts it outside its marketplace` }
      : { root, ...catalogue };
  }
  const path = recordFor(installed[id], cwd)?.['installPath'];
  if (typeof path === 'string' && isAbsolute(path)) return { root: path, ...catalogue };
  return {
    why: Object.hasOwn(installed, id)
      ? 'switched on, but not installed for this project'
      : 'switched on, but not installed',
  };
}

function catalogueAt(location: string): { readonly file: string; readonly root: string } {
  if (!location.endsWith('.json'))
    return { file: join(location, '.claude-plugin', 'marketplace.json'), root: location };
  const folder = join(location, '..');
  return { file: location, root: folder.endsWith('.claude-plugin') ? join(folder, '..') : folder };
}

/** A bare name is resolved below `metadata.pluginRoot`. No path may leave the marketplace. */
function inMarket(root: string, source: string, pluginRoot: unknown): string | undefined {
  const base = /^\.(?:\/|$)/.test(source) ? '.' : typeof pluginRoot === 'string' ? pluginRoot : undefined;
  if (base === undefined || isAbsolute(base)) return undefined;
  const found = join(root, base, source);
  return isIn(root, found) ? found : undefined;
}

const isIn = (folder: string, path: string): boolean => {
  const below = relative(folder, path);
  return below !== '..' && !below.startsWith('../') && !isAbsolute(below);
};

/** There is one record per project. The first file format had a single record. */
function recordFor(records: unknown, cwd: string): Json | undefined {
  const all = (Array.isArray(records) ? records : [records]).filter(isFields);
  return all.find(({ scope, projectPath }) =>
    scope === 'project' || scope === 'local'
      ? typeof projectPath === 'string' && isAbsolute(projectPath) && isIn(projectPath, cwd)
      : true,
  );
}

const optionsIn = (options: Json): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(options).flatMap(([key, value]) =>
      ['string', 'number', 'boolean'].includes(typeof value) || Array.isArray(value)
        ? [[key, String(value)] as const]
        : [],
    ),
  );
