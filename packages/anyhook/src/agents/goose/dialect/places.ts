/** Locations of Goose's hooks: the three documented files, and the plugins of current Goose. */

import { isAbsolute, join } from 'node:path';
import type { Locations, Place } from '../../../events/dialect.ts';

export interface GoosePlace extends Place {
  /** `settings` lists disabled plugins and contains no hooks. */
  readonly sort: 'global' | 'project' | 'settings' | 'plugin';
}

export function places({ home, cwd, env, list = () => [] }: Locations): GoosePlace[] {
  const xdg = env['XDG_CONFIG_HOME'] ?? '';
  const user = join(isAbsolute(xdg) ? xdg : join(home, '.config'), 'goose');
  const project = join(cwd, '.config', 'goose');
  const plugins = (root: string, layer: Place['layer']): GoosePlace[] =>
    list(join(root, '.agents', 'plugins'))
      .toSorted()
      .map((name) => {
        const folder = join(root, '.agents', 'plugins', name);
        return {
          layer,
          sort: 'plugin',
          file: join(folder, 'hooks', 'hooks.json'),
          plugin: { root: folder, name },
        };
      });
  const settings = (layer: Place['layer'], ...files: string[]): GoosePlace[] =>
    files.map((file) => ({ layer, sort: 'settings', file }));
  return [
    { layer: 'user', sort: 'global', file: join(user, 'hooks.json') },
    ...settings('user', join(user, 'settings.json')),
    ...plugins(home, 'user'),
    { layer: 'project', sort: 'project', file: join(cwd, '.goose', 'settings.json') },
    {
      layer: 'project',
      sort: 'project',
      file: join(cwd, '.claude', 'settings.json'),
      owner: 'claude-code',
    },
    ...settings('project', join(project, 'settings.local.json'), join(project, 'settings.json')),
    ...(home === cwd ? [] : plugins(cwd, 'project')),
  ];
}

/** Locations from another source (a text without a file) belong to user or project by their layer. */
export const sortOf = (place: Place): GoosePlace['sort'] =>
  (place as Partial<GoosePlace>).sort ?? (place.layer === 'project' ? 'project' : 'global');
