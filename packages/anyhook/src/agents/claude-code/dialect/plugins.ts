/**
 * Which plugins are installed, where each lies, and who switched it on. The register is Claude Code's own: `enabledPlugins` of the
 * settings files says what is on, `installed_plugins.json` and `known_marketplaces.json` where it lies. Seen in 2.1.325.
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
  /** The settings file that switches it on. */
  readonly asker: string;
  /** Its entry in the marketplace's list may hold hooks too. */
  readonly catalogue?: string;
  /** The person's answers to its questions, as far as they are no secrets. */
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

/** The same file is read once, however many plugins ask for it; one without what is looked for is not taken apart. */
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
  // The later word counts; the machine's owner has the last.
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
        why: 'its marketplace and its own manifest both say what it holds',
      });
      continue;
    }
    const isProjects = (!isOwn && !isManaged) || isIn(locations.cwd, found.root);
    on.push({
      id,
      root: found.root,
      ...(found.catalogue !== undefined && { catalogue: found.catalogue }),
      layer: isProjects ? 'project' : 'user',
      asker: isOwn ? own : word!, // one of them says so, as just seen
      options: optionsIn(part(part(part(read(own), 'pluginConfigs'), id), 'options')),
    });
  }
  return { on, off };
}

export const manifestOf = (root: string): string => join(root, '.claude-plugin', 'plugin.json');

/** As Claude Code names them; what is none of its ids names no plugin. */
const ID = /^[a-z0-9][\w.-]*@[a-z0-9][\w.-]*$/i;

/** The machine's owner writes it; no variable moves it. */
export const MANAGED_SETTINGS = '/etc/claude-code/managed-settings.json';

const projectFiles = ({ cwd }: Locations): string[] =>
  ['settings.json', 'settings.local.json'].map((name) => join(cwd, '.claude', name));

export function pluginFolder({ env }: Locations, base: string): string {
  const named = env['CLAUDE_CODE_PLUGIN_CACHE_DIR'] ?? '';
  return isAbsolute(named) ? named : join(base, 'plugins');
}

/** The folder in which a plugin keeps what shall outlive its updates. */
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
      /** The marketplace's entry says all there is to say: a manifest beside it would be a second word. */
      readonly isAlone?: boolean;
    })
  | { readonly why: string };

/** A marketplace that is a folder of this machine is read where it is; of any other a copy was made when it was installed. */
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
      ? { why: `${place.file} places it outside of its marketplace` }
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

/** A bare name is looked up below `metadata.pluginRoot`; nothing leads out of the marketplace. */
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

/** One record per place it was installed for; the first register had a single one. */
function recordFor(records: unknown, cwd: string): Json | undefined {
  const all = (Array.isArray(records) ? records : [records]).filter(isFields);
  return all.find(({ scope, projectPath }) =>
    scope === 'project' || scope === 'local'
      ? typeof projectPath === 'string' && isAbsolute(projectPath) && isIn(projectPath, cwd)
      : true,
  );
}

const optionsIn = (said: Json): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(said).flatMap(([key, value]) =>
      ['string', 'number', 'boolean'].includes(typeof value) || Array.isArray(value)
        ? [[key, String(value)] as const]
        : [],
    ),
  );
