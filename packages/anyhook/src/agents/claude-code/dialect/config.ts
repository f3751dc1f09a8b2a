/** Reads `hooks` of a settings file or plugin. An invalid entry does not invalidate the file and does not vanish. */

import { basename, dirname, join } from 'node:path';
import {
  flag,
  listOf,
  pathText,
  shown,
  type Spot,
  spotAt,
  suggestion,
  text,
} from '../../../events/checker.ts';
import type { ConfigRead, Place, Locations, PackFolder, FileSettings } from '../../../events/dialect.ts';
import { readDocument } from '../../../events/document.ts';
import { isFields } from '../../../events/fields.ts';
import type { Hook, Layer, WayOf } from '../../../events/hook.ts';
import type { Problem } from '../../../events/problems.ts';
import { reportTypos } from '../../../events/typos.ts';
import { compileGlob } from '../../../shell/glob.ts';
import { withPackPaths } from '../../shared/claude-shaped/pack-place.ts';
import { readClaudeEntry } from './entry.ts';
import { CLAUDE_WORDS, type ClaudeWord, isClaudeWord } from './events.ts';
import { idlePlugins, places } from './places.ts';
import { sessionEndBudget } from './timeout.ts';

/** Applies settings of all files: disabled hooks, and URLs and variables allowed for HTTP hooks. */
export function settleClaudeHook(
  hook: Hook,
  files: readonly FileSettings[],
): { hook?: Hook; problem?: Problem } {
  const off = switchedOff(hook.origin.layer, files);
  if (off !== undefined) return { problem: problemOf(hook, `does not run: ${off}.`) };
  if (hook.run.kind === 'http') return settleHttp(hook, hook.run, files);
  const unheeded = switchedOffByProject(hook, files);
  return unheeded === undefined ? { hook } : { hook, problem: problemOf(hook, unheeded) };
}

/**
 * A project may disable its own hooks and, as in Claude Code, enable them again after the user disabled all. It cannot
 * disable hooks of the user, and no one can disable hooks of an organisation.
 */
function switchedOff(layer: Layer, files: readonly FileSettings[]): string | undefined {
  const isManaged = layer === 'managed';
  const by = (key: string, layers: readonly Layer[]) =>
    files.findLast(({ place, settings }) => layers.includes(place.layer) && settings[key] !== undefined);
  if (by('disableAllHooks', ['managed'])?.settings['disableAllHooks'] === true)
    return 'managed settings disable all hooks';
  if (!isManaged && by('allowManagedHooksOnly', ['managed'])?.settings['allowManagedHooksOnly'] === true)
    return 'managed settings allow only their own hooks';
  if (isManaged) return undefined;
  const project = by('disableAllHooks', ['project']);
  if (project?.settings['disableAllHooks'] === false) return undefined;
  const own =
    layer === 'project' ? (project ?? by('disableAllHooks', ['user'])) : by('disableAllHooks', ['user']);
  return own?.settings['disableAllHooks'] === true ? `disableAllHooks in ${own.place.file}` : undefined;
}

/** In Claude Code a project can disable user plugins. Not here, because that would disable guards of the user. */
function switchedOffByProject(
  { origin: { layer, plugin } }: Hook,
  files: readonly FileSettings[],
): string | undefined {
  if (plugin === undefined || layer === 'project') return undefined;
  const by = files.find(({ place, settings }) => {
    const plugins = (settings['enabledPlugins'] ?? {}) as Readonly<Record<string, unknown>>;
    return place.layer === 'project' && Object.hasOwn(plugins, plugin.name) && plugins[plugin.name] === false;
  });
  return (
    by &&
    `runs although ${by.place.file} switches ${plugin.name} off: a project cannot disable your own plugins.`
  );
}

/** Lists of all layers are merged. Lists of a project only apply to its own hooks. */
function settleHttp(
  hook: Hook,
  way: WayOf<'http'>,
  files: readonly FileSettings[],
): { hook?: Hook; problem?: Problem } {
  const listed = (key: string): readonly string[] | undefined => {
    const lists = files
      .filter(({ place }) => place.layer !== 'project' || hook.origin.layer === 'project')
      .flatMap(({ settings }) => (settings[key] === undefined ? [] : [settings[key] as readonly string[]]));
    return lists.length === 0 ? undefined : lists.flat();
  };
  const urls = listed('allowedHttpHookUrls');
  if (urls !== undefined && !urls.some((url) => compileGlob(escaped(url)).matches(way.url))) {
    const detail = `${way.url} is not among allowedHttpHookUrls`;
    const run = { kind: 'missing', why: { kind: 'not-started', detail } } as const;
    return { hook: { ...hook, run }, problem: problemOf(hook, `does not run: ${detail}.`) };
  }
  const names = listed('httpHookAllowedEnvVars');
  if (names === undefined || way.env === undefined) return { hook };
  return { hook: { ...hook, run: { ...way, env: way.env.filter((name) => names.includes(name)) } } };
}

/** Only `*` is a wildcard in a URL; a final `:*` is a port. */
const escaped = (url: string): string =>
  url.replaceAll(/[?[]/g, (sign) => `[${sign}]`).replace(/:\*$/, ':[0-9]*');

const problemOf = ({ origin: { file, line, column } }: Hook, message: string): Problem => ({
  code: 'not-loaded',
  file,
  line,
  ...(column !== undefined && { column }),
  message,
  severity: 'warning',
});

/** Locations of a plugin outside Claude Code's folders. Its hooks receive the same variables as there. */
const packPlace = (
  { folder, layer, settings = 'hooks/hooks.json' }: PackFolder,
  { cwd }: Locations,
): Place => ({
  layer,
  file: join(folder, settings),
  ...(settings.startsWith('.claude/') && { folder }),
  plugin: { name: basename(folder), root: folder },
  vars: {
    CLAUDE_PROJECT_DIR: cwd,
    CLAUDE_PLUGIN_ROOT: folder,
    // Next to the folder, because plugin data is not part of what was added.
    CLAUDE_PLUGIN_DATA: join(dirname(folder), '.data', basename(folder)),
  },
});

export const config = {
  entry: {
    matcher: { key: 'matcher', in: 'group' },
    timeout: { key: 'timeout', unit: 's' },
    failsClosed: '"onFailure": "block"',
  },
  unread: {
    scripts: ['.claude/hooks'],
    settings: [
      {
        file: '.claude/hooks.json',
        from: ['project', 'home'],
        why: 'Claude Code reads hooks from settings.json in this folder',
      },
    ],
    elsewhere: idlePlugins,
  },
  places,
  packPlace,
  read,
  settle: settleClaudeHook,
} as const;

/** Settings of the whole dialect. Other keys of the file are ignored. */
const SETTINGS = {
  disableAllHooks: flag,
  allowManagedHooksOnly: flag,
  allowedHttpHookUrls: listOf(text),
  httpHookAllowedEnvVars: listOf(text),
};

function read(source: string, place: Place): ConfigRead {
  const text = place.folder === undefined ? source : withPackPaths(source, place);
  const document = readDocument(text, place.file);
  if (document.value === undefined) return { hooks: [], modules: [], problems: document.problems };
  const problems: Problem[] = [...document.problems];
  const root = spotAt(document, [], problems);
  if (!isFields(root.value)) {
    const remedy = 'Claude Code settings must be a JSON object.';
    root.report('wrong-type', `is ${shown(root.value)}`, { remedy });
    return { hooks: [], modules: [], problems };
  }
  if (place.plugin !== undefined) {
    const hooks = pluginHooks(root, place).flatMap((spot) =>
      hooksIn(spot, place, (path) => document.at(path)),
    );
    sayModules(root);
    return { hooks: sessionEndBudget(hooks), modules: [], problems };
  }
  reportTypos(root, {
    known: ['hooks', ...Object.keys(SETTINGS)],
    events: { words: CLAUDE_WORDS, key: 'hooks' },
  });
  const settings = settingsIn(root);
  const hooks = hooksIn(root.part('hooks'), place, (path) => document.at(path));
  return { hooks: sessionEndBudget(hooks), modules: [], problems, settings };
}

function sayModules(root: Spot): void {
  const modules = root.part('modules');
  if (Array.isArray(modules.value))
    modules.report('bad-value', 'function hooks of a plugin are not supported', {
      at: 'key',
      severity: 'warning',
    });
}

function settingsIn(root: Spot): Readonly<Record<string, unknown>> {
  const entries = Object.entries(SETTINGS).flatMap(([key, shape]) => {
    const spot = root.part(key);
    const value = spot.value === undefined ? undefined : shape(spot);
    return value === undefined ? [] : [[key, value] as const];
  });
  const plugins = root.part('enabledPlugins').value;
  return Object.fromEntries([
    ...entries,
    ...(isFields(plugins) ? [['enabledPlugins', plugins] as const] : []),
  ]);
}

type At = (path: Spot['path']) => { readonly line: number; readonly column: number };

function hooksIn(spot: Spot, place: Place, at: At): Hook[] {
  if (spot.value === undefined) return [];
  if (!isFields(spot.value)) {
    spot.report('wrong-type', `is ${shown(spot.value)}`, {
      remedy: 'Write "hooks": { "PreToolUse": [ … ] }.',
    });
    return [];
  }
  return Object.keys(spot.value).flatMap((word) => {
    const groups = spot.part(word);
    if (isClaudeWord(word)) return groupsIn(groups, word, place, at);
    groups.report('unknown-event', `unknown event ${shown(word)}`, {
      at: 'key',
      remedy: `${suggestion(word, CLAUDE_WORDS)} Its hooks do not run.`,
    });
    return [];
  });
}

function groupsIn(spot: Spot, word: ClaudeWord, place: Place, at: At): Hook[] {
  return itemsOf(spot, 'Write a list of { "matcher", "hooks" }.').flatMap((group) => {
    if (!isFields(group.value)) {
      group.report('wrong-type', `is ${shown(group.value)}`, {
        remedy: 'Write { "matcher": …, "hooks": [ … ] }.',
      });
      return [];
    }
    for (const key of Object.keys(group.value))
      if (key !== 'matcher' && key !== 'hooks' && !FOR_PEOPLE.has(key)) strayKey(group, key);
    const handlers = group.part('hooks');
    if (handlers.value === undefined) {
      group.report('bad-value', 'has no "hooks"', { remedy: 'Put the handlers in "hooks": [ … ].' });
      return [];
    }
    return itemsOf(handlers, 'Write a list of handlers.').map((spot, index) =>
      readClaudeEntry(spot, {
        word,
        place,
        matcher: group.part('matcher'),
        ...at(spot.path),
        id: `${place.file}#${pathText([word, group.path.at(-1)!, index])}`,
      }),
    );
  });
}

function itemsOf(spot: Spot, remedy: string): Spot[] {
  if (!Array.isArray(spot.value)) {
    spot.report('wrong-type', `is ${shown(spot.value)}`, { remedy });
    return [];
  }
  if (spot.value.length === 0) spot.report('empty-list', 'is an empty list', { severity: 'warning' });
  return spot.value.map((_, index) => spot.part(index));
}

/** Published plugins use these keys to describe a group. Claude Code ignores them. */
const FOR_PEOPLE: ReadonlySet<string> = new Set(['id', 'name', 'description', 'comment', '$comment', '//']);

function strayKey(group: Spot, key: string): void {
  const remedy = HANDLER_KEYS.has(key)
    ? 'Move it into an entry of "hooks".'
    : suggestion(key, ['matcher', 'hooks']);
  group
    .part(key)
    .report('unknown-key', `unknown key ${shown(key)}`, { at: 'key', remedy, severity: 'warning' });
}
const HANDLER_KEYS: ReadonlySet<string> = new Set([
  'type',
  'command',
  'url',
  'prompt',
  'timeout',
  'if',
  'async',
]);

/** Each is a table of events. Further files named in the manifest are separate locations. */
function pluginHooks(root: Spot, { file, plugin }: Place): readonly Spot[] {
  const name = basename(file);
  if (name === 'plugin.json') return tables(root.part('hooks'));
  if (name !== 'marketplace.json' && plugin !== undefined) return [root.part('hooks')];
  const list = root.part('plugins');
  const own = plugin?.name.slice(0, plugin.name.lastIndexOf('@'));
  const entries = Array.isArray(list.value) ? list.value : [];
  const at = entries.findIndex((one) => isFields(one) && one['name'] === own);
  return at < 0 ? [] : tables(list.part(at).part('hooks'));
}

function tables(hooks: Spot): Spot[] {
  if (!Array.isArray(hooks.value)) return typeof hooks.value === 'string' ? [] : [hooks];
  return hooks.value.flatMap((one, index) => (typeof one === 'string' ? [] : [hooks.part(index)]));
}
