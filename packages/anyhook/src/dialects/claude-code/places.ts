/** Where Claude Code keeps its hooks. Folders only: nothing is read here. */
import { isAbsolute, join, relative } from 'node:path';
import type { Locations, Place } from '../../canon/dialect.ts';

export function places(locations: Locations): Place[] {
  const { home, cwd, env } = locations;
  const named = env['CLAUDE_CONFIG_DIR'] ?? '';
  const base = isAbsolute(named) ? named : isAbsolute(home) ? join(home, '.claude') : undefined;
  const own: Place[] =
    base === undefined
      ? []
      : [
          {
            layer: 'user',
            file: join(base, 'settings.json'),
            vars: { CLAUDE_PROJECT_DIR: rootOf(locations) },
          },
          ...plugins(base, locations),
        ];
  // What a project asks for is trusted with the folder it is in: that folder is its root, whatever a variable says.
  const project = ['settings.json', 'settings.local.json'].map((name): Place => ({
    layer: 'project',
    file: join(cwd, '.claude', name),
    vars: { CLAUDE_PROJECT_DIR: cwd },
  }));
  const taken = new Set(own.map(({ file }) => file));
  return [...own, ...project.filter(({ file }) => !taken.has(file))];
}

/** The folder the session began in: what a running Claude Code says, if we are in it; `cd` does not move it. */
function rootOf({ cwd, env }: Locations): string {
  const said = env['CLAUDE_PROJECT_DIR'] ?? '';
  if (!isAbsolute(said)) return cwd;
  const below = relative(said, cwd);
  return below === '..' || below.startsWith('../') || isAbsolute(below) ? cwd : said;
}

/** `plugins/cache/<marketplace>/<plugin>/<version>`: of each plugin the newest version that is not given up. */
function plugins(base: string, locations: Locations): Place[] {
  const list = locations.list ?? (() => []);
  const cache = join(base, 'plugins', 'cache');
  const inside = (folder: string) => list(folder).toSorted();
  return inside(cache).flatMap((market) =>
    inside(join(cache, market)).flatMap((plugin) => {
      const versions = inside(join(cache, market, plugin))
        .map((version) => join(cache, market, plugin, version))
        .filter((folder) => list(join(folder, 'hooks')).includes('hooks.json'))
        .filter((folder) => !list(folder).includes('.orphaned_at'));
      const newest = versions.toSorted(byVersion).at(-1);
      return newest === undefined
        ? []
        : [pluginPlace(newest, base, `${plugin}@${market}`, rootOf(locations))];
    }),
  );
}

export const pluginPlace = (folder: string, base: string, id: string, root: string): Place => ({
  layer: 'user',
  file: join(folder, 'hooks', 'hooks.json'),
  vars: {
    CLAUDE_PROJECT_DIR: root,
    CLAUDE_PLUGIN_ROOT: folder,
    CLAUDE_PLUGIN_DATA: join(base, 'plugins', 'data', id.replaceAll(/[^\w.-]/g, '-')),
  },
});

/** Which plugin a settings file belongs to, if it is one's: `name@marketplace`. */
export function claudePluginOf({ vars }: Place): string | undefined {
  const found = /[\\/]plugins[\\/]cache[\\/]([^\\/]+)[\\/]([^\\/]+)[\\/][^\\/]+$/.exec(
    vars?.['CLAUDE_PLUGIN_ROOT'] ?? '',
  );
  return found === null ? undefined : `${found[2]}@${found[1]}`;
}

const byVersion = (a: string, b: string): number => a.localeCompare(b, 'en', { numeric: true });
