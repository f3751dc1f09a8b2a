/** Where Claude Code keeps its hooks: settings files, and the plugins that are on. Nothing is looked at but through `locations`. */
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
  // What a project asks for is trusted with the folder it is in: that folder is its root, whatever a variable says.
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

/** Plugins whose hooks do not run, and hooks that only Claude Code itself finds. */
export function idlePlugins(locations: Locations): { readonly file: string; readonly why: string }[] {
  const base = claudeBase(locations);
  const { list = () => [] } = locations;
  if (base === undefined) return [];
  const off = claudePlugins(locations, base).off.map(({ id, file, why }) => ({
    file,
    why: `plugin ${id}: ${why}; none of its hooks runs`,
  }));
  const inSkills = [...new Set([base, join(locations.cwd, '.claude')])].flatMap((folder) =>
    list(join(folder, 'skills'))
      .map((name) => join(folder, 'skills', name))
      .filter((root) => list(join(root, '.claude-plugin')).includes('plugin.json'))
      .filter((root) => list(join(root, 'hooks')).includes('hooks.json'))
      .map((root) => ({
        file: join(root, 'hooks', 'hooks.json'),
        why: `Claude Code runs it as ${basename(root)}@skills-dir; elsewhere it runs only as an installed plugin, because an agent writes skills every day`,
      })),
  );
  return [...off, ...inSkills];
}

export function claudeBase({ home, env }: Locations): string | undefined {
  const named = env['CLAUDE_CONFIG_DIR'] ?? '';
  return isAbsolute(named) ? named : isAbsolute(home) ? join(home, '.claude') : undefined;
}

/** The folder the session began in: what a running Claude Code says, if we are in it; `cd` does not move it. */
function rootOf({ cwd, env }: Locations): string {
  const said = env['CLAUDE_PROJECT_DIR'] ?? '';
  if (!isAbsolute(said)) return cwd;
  const below = relative(said, cwd);
  return below === '..' || below.startsWith('../') || isAbsolute(below) ? cwd : said;
}

/** `hooks/hooks.json`, then what its manifest names or holds, then its entry in the marketplace's list. */
export function pluginPlaces(plugin: ClaudePlugin, locations: Locations, base: string): Place[] {
  const { id, root, layer, asker, catalogue, options } = plugin;
  const standard = join(root, 'hooks', 'hooks.json');
  const manifest = manifestOf(root);
  const text = locations.read?.(manifest);
  const document = text === undefined ? undefined : readDocument(text, manifest).value;
  const said = isFields(document) ? document['hooks'] : undefined;
  const listed = Array.isArray(said) ? said : said === undefined ? [] : [said];
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
