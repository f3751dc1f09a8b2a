/** `hooks` of a settings file or of a plugin: text to hooks. One bad entry does not void the file, and does not vanish. */
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
import type { ConfigRead, Place } from '../../../events/dialect.ts';
import { readDocument } from '../../../events/document.ts';
import { isFields } from '../../../events/fields.ts';
import type { Hook } from '../../../events/hook.ts';
import { sayMisspelt } from '../../../events/misspelt.ts';
import type { Problem } from '../../../events/problems.ts';
import { readClaudeEntry } from './entry.ts';
import { CLAUDE_WORDS, type ClaudeWord, isClaudeWord } from './events.ts';
import { pluginHooks } from './plugin-hooks.ts';
import { idlePlugins, places } from './places.ts';
import { withPackPaths } from '../../shared/claude-shaped/pack-place.ts';
import { packPlace } from './pack-place.ts';
import { sessionEndBudget } from './timeout.ts';
import { settleClaudeHook } from './settle.ts';

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

/** Settings of the whole dialect; every other key of the file is none of our business. */
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
    const remedy = 'Settings of Claude Code are a JSON object.';
    root.say('wrong-type', `is ${shown(root.value)}`, { remedy });
    return { hooks: [], modules: [], problems };
  }
  if (place.plugin !== undefined) {
    const hooks = pluginHooks(root, place).flatMap((spot) =>
      hooksIn(spot, place, (path) => document.at(path)),
    );
    sayModules(root);
    return { hooks: sessionEndBudget(hooks), modules: [], problems };
  }
  sayMisspelt(root, {
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
    modules.say('bad-value', 'function hooks of a plugin are not run here', {
      at: 'key',
      severity: 'warning',
    });
}

function settingsIn(root: Spot): Readonly<Record<string, unknown>> {
  const said = Object.entries(SETTINGS).flatMap(([key, shape]) => {
    const spot = root.part(key);
    const value = spot.value === undefined ? undefined : shape(spot);
    return value === undefined ? [] : [[key, value] as const];
  });
  const plugins = root.part('enabledPlugins').value;
  return Object.fromEntries([...said, ...(isFields(plugins) ? [['enabledPlugins', plugins] as const] : [])]);
}

type At = (path: Spot['path']) => { readonly line: number; readonly column: number };

function hooksIn(spot: Spot, place: Place, at: At): Hook[] {
  if (spot.value === undefined) return [];
  if (!isFields(spot.value)) {
    spot.say('wrong-type', `is ${shown(spot.value)}`, { remedy: 'Write "hooks": { "PreToolUse": [ … ] }.' });
    return [];
  }
  return Object.keys(spot.value).flatMap((word) => {
    const groups = spot.part(word);
    if (isClaudeWord(word)) return groupsIn(groups, word, place, at);
    groups.say('unknown-event', `unknown event ${shown(word)}`, {
      at: 'key',
      remedy: `${suggestion(word, CLAUDE_WORDS)} Its hooks do not run.`,
    });
    return [];
  });
}

function groupsIn(spot: Spot, word: ClaudeWord, place: Place, at: At): Hook[] {
  return itemsOf(spot, 'Write a list of { "matcher", "hooks" }.').flatMap((group) => {
    if (!isFields(group.value)) {
      group.say('wrong-type', `is ${shown(group.value)}`, {
        remedy: 'Write { "matcher": …, "hooks": [ … ] }.',
      });
      return [];
    }
    for (const key of Object.keys(group.value))
      if (key !== 'matcher' && key !== 'hooks' && !FOR_PEOPLE.has(key)) strayKey(group, key);
    const handlers = group.part('hooks');
    if (handlers.value === undefined) {
      group.say('bad-value', 'has no "hooks"', { remedy: 'Put the handlers into "hooks": [ … ].' });
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
    spot.say('wrong-type', `is ${shown(spot.value)}`, { remedy });
    return [];
  }
  if (spot.value.length === 0) spot.say('empty-list', 'is an empty list', { severity: 'warning' });
  return spot.value.map((_, index) => spot.part(index));
}

/** Published plugins say with these what a group is for; Claude Code passes them over. */
const FOR_PEOPLE: ReadonlySet<string> = new Set(['id', 'name', 'description', 'comment', '$comment', '//']);

function strayKey(group: Spot, key: string): void {
  const remedy = HANDLER_KEYS.has(key)
    ? 'It belongs into an entry of "hooks".'
    : suggestion(key, ['matcher', 'hooks']);
  group.part(key).say('unknown-key', `unknown key ${shown(key)}`, { at: 'key', remedy, severity: 'warning' });
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
