import { join } from 'node:path';
import type { Locations, Place } from '../../canon/dialect.ts';

/** The document's two files, and the hooks of plugins: a folder with an `.mcp.json` and a `hooks/hooks.json`. */
export function places({ home, cwd, list }: Locations): Place[] {
  const user = join(home, '.config', 'opta');
  const project = join(cwd, '.opta');
  return [
    { layer: 'user', file: join(user, 'config.json') },
    ...plugins(user, 'user', list),
    { layer: 'project', file: join(project, 'config.json'), folder: cwd },
    ...plugins(project, 'project', list),
  ];
}

function plugins(root: string, layer: Place['layer'], list: Locations['list'] = () => []): Place[] {
  const folder = join(root, 'plugins');
  return list(folder)
    .toSorted()
    .filter((name) => list(join(folder, name)).includes('.mcp.json'))
    .map((name) => ({ layer, file: join(folder, name, 'hooks', 'hooks.json'), folder: join(folder, name) }));
}
