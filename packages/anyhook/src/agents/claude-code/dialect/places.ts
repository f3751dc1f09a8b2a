/** Locations of Claude Code's hooks: settings files and enabled plugins. All disk access goes through `locations`. */

import { basename, isAbsolute, join, normalize, relative } from 'node:path';
import type { Locations, Place } from '../../../events/dialect.ts';
import { readDocument } from '../../../events/document.ts';
import { isFields } from '../../../events/fields.ts';
import { optionVariable } from './placeholders.ts';
import { type ClaudePlugin, claudePlugins, manifestOf, pluginData } from './plugins.ts';

export function places(locations: Locations): Place[] {
  const { cwd } = locations;
  const base = claudeBase(locations);
  const own: Place[] =
    base === undefined
      ? []
      : [
          {
            layer: 'user',
            file: join(base, 'settings.json'),
            vars: { CLAUDE_PROJECT_DIR: rootOf(locations) },
          },
        ];
  // Project entries are trusted together with their folder. That folder is the project root, whatever a variable
  // contains.
  const project = ['settings.json', 'settings.local.json'].map((name): Place => ({
    layer: 'project',
    file: join(cwd, '.claude', name),
    vars: { CLAUDE_PROJECT_DIR: cwd },
  }));
  const taken = new Set(own.map(({ file }) => file));
  const plugins =
    base === undefined
      ? []
      : claudePlugins(locations, base).on.flatMap((plugin) => pluginPlaces(plugin, locations, base));
  return [...own, ...project.filter(({ file }) => !taken.has(file)), ...plugins];
}

/** Returns plugins whose hooks do not run, and hooks that only Claude Code itself finds. */
export function idlePlugins(locations: Locations): { readonly file: string; readonly why: string }[] {
  const base = claudeBase(locations);
  const { list = () => [] } = locations;
  if (base === undefined) return [];
  const off = claudePlugins(locations, base).off.map(({ id, file, why }) => ({
    file,
    why: `plugin ${id}: ${why}; its hooks do not run`,
  }));
  const inSkills = [...new Set([base, join(locations.cwd, '.claude')])].flatMap((folder) =>
    list(join(folder, 'skills'))
      .map((name) => join(folder, 'skills', name))
      .filter((root) => list(join(root, '.claude-plugin')).includes('plugin.json'))
      .filter((root) => list(join(root, 'hooks')).includes('hooks.json'))
      .map((root) => ({
        file: join(root, 'hooks', 'hooks.json'),
        why: `Claude Code runs it as ${basename(root)}@skills-dir; other agents run it only as an installed plugin, because agents often write skills`,
      })),
  );
  return [...off, ...inSkills];
}

export function claudeBase({ home, env }: Locations): string | undefined {
  const named = env['CLAUDE_CONFIG_DIR'] ?? '';
  return isAbsolute(named) ? named : isAbsolute(home) ? join(home, '.claude') : undefined;
}

/** The folder in which the session began. A running Claude Code reports it, and `cd` does not change it. */
function rootOf({ cwd, env }: Locations): string {
  const folder = env['CLAUDE_PROJECT_DIR'] ?? '';
  if (!isAbsolute(folder)) return cwd;
  const below = relative(folder, cwd);
  return below === '..' || below.startsWith('../') || isAbsolute(below) ? cwd : folder;
}

/** Reads `hooks/hooks.json`, then the hooks or files in the manifest, then the entry in the marketplace. */
export function pluginPlaces(plugin: ClaudePlugin, locations: Locations, base: string): Place[] {
  const { id, root, layer, asker, catalogue, options } = plugin;
  const standard = join(root, 'hooks', 'hooks.json');
  const manifest = manifestOf(root);
  const text = locations.read?.(manifest);
  const document = text === undefined ? undefined : readDocument(text, manifest).value;
  const hooks = isFields(document) ? document['hooks'] : undefined;
  const listed = Array.isArray(hooks) ? hooks : hooks === undefined ? [] : [hooks];
  const named = listed.flatMap((one) => (typeof one === 'string' ? (below(root, one) ?? []) : []));
  const files = [
    standard,
    ...named,
    ...(listed.some(isFields) ? [manifest] : []),
    ...(catalogue === undefined ? [] : [catalogue]),
  ];
  const vars = {
    CLAUDE_PROJECT_DIR: layer === 'project' ? locations.cwd : rootOf(locations),
    CLAUDE_PLUGIN_ROOT: root,
    CLAUDE_PLUGIN_DATA: pluginData(locations, base, id),
    ...Object.fromEntries(Object.entries(options).map(([key, value]) => [optionVariable(key), value])),
  };
  return [...new Set(files)].map((file) => ({ layer, file, vars, plugin: { name: id, root, asker } }));
}

function below(root: string, path: string): string | undefined {
  if (isAbsolute(path)) return undefined;
  const file = normalize(join(root, path));
  return relative(root, file).startsWith('..') ? undefined : file;
}
