/** Where Codex keeps its hooks: its own file, the project's, and those of installed plugins. */
import { isAbsolute, join } from 'node:path';
import type { Locations, Place } from '../../../events/dialect.ts';
import { readDocument } from '../../../events/document.ts';
import { isFields } from '../../../events/fields.ts';

/** Variables that name the folder of a plugin; Codex sets Claude Code's name too. */
export const PLUGIN_ROOTS = ['PLUGIN_ROOT', 'CLAUDE_PLUGIN_ROOT'];
const PLUGIN_DATA = ['PLUGIN_DATA', 'CLAUDE_PLUGIN_DATA'];

export function places(locations: Locations): Place[] {
  const { home, cwd, env } = locations;
  const named = env['CODEX_HOME'] ?? '';
  const base = isAbsolute(named) ? named : isAbsolute(home) ? join(home, '.codex') : undefined;
  const user = base === undefined ? [] : [join(base, 'hooks.json')];
  const project = join(cwd, '.codex', 'hooks.json');
  return [
    ...user.map((file): Place => ({ layer: 'user', file })),
    ...(base === undefined ? [] : pluginPlaces(base, locations)),
    ...(user.includes(project) ? [] : [{ layer: 'project', file: project } satisfies Place]),
  ];
}

/** Plugins that `config.toml` switches on, in the folder where Codex installs them: marketplace, name, version. */
function pluginPlaces(base: string, locations: Locations): Place[] {
  const { list = () => [], read = () => undefined } = locations;
  return enabledPlugins(read(join(base, 'config.toml')) ?? '').flatMap(({ id, name, market }) => {
    const folder = join(base, 'plugins', 'cache', market, name);
    const version = list(folder).toSorted(byVersion).at(-1);
    if (version === undefined) return [];
    const root = join(folder, version);
    const data = join(base, 'plugins', 'data', `${name}-${market}`);
    const vars = Object.fromEntries([
      ...PLUGIN_ROOTS.map((variable) => [variable, root]),
      ...PLUGIN_DATA.map((variable) => [variable, data]),
    ]) as Record<string, string>;
    return hookFiles(root, read).map((file): Place => ({
      layer: 'user',
      file,
      vars,
      plugin: { name: id, root },
    }));
  });
}

const byVersion = (a: string, b: string): number => a.localeCompare(b, undefined, { numeric: true });

/** `[plugins."name@marketplace"]` with `enabled` not false. */
function enabledPlugins(toml: string): { id: string; name: string; market: string }[] {
  const sections = toml.split(/^[ \t]*(?=\[)/m);
  return sections.flatMap((section) => {
    const [, id = ''] = /^\[plugins\.(?:"([^"]+)"|'[^']+')\]/.exec(section) ?? [];
    const [, name, market] = /^([\w.-]+)@([\w.-]+)$/.exec(id) ?? [];
    if (name === undefined || market === undefined || /^[ \t]*enabled[ \t]*=[ \t]*false\b/m.test(section))
      return [];
    return [{ id, name, market }];
  });
}

/** The usual file, and those that the manifest names or holds. */
function hookFiles(root: string, read: (file: string) => string | undefined): string[] {
  const manifest = join(root, '.codex-plugin', 'plugin.json');
  const text = read(manifest);
  const value = text === undefined ? undefined : readDocument(text, manifest).value;
  const hooks = isFields(value) ? value['hooks'] : undefined;
  const named = (Array.isArray(hooks) ? hooks : [hooks]).flatMap((one: unknown) => {
    if (isFields(one)) return [manifest];
    return typeof one === 'string' && !isAbsolute(one) && !one.split('/').includes('..')
      ? [join(root, one)]
      : [];
  });
  return [...new Set([join(root, 'hooks', 'hooks.json'), ...named])];
}
