import { join } from 'node:path';
import type { Locations, Place } from '../../../events/dialect.ts';

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

/** Hooks in a folder that is no plugin, as nothing says what server it belongs to. */
export function unreadPlugins({ home, cwd, list = () => [] }: Locations): { file: string; why: string }[] {
  return [join(home, '.config', 'opta'), join(cwd, '.opta')].flatMap((root) =>
    namesIn(root, list)
      .filter((folder) => !isPlugin(folder, list) && list(join(folder, 'hooks')).includes('hooks.json'))
      .map((folder) => ({
        file: join(folder, 'hooks', 'hooks.json'),
        why: `a plugin of Opta's has an .mcp.json: without ${join(folder, '.mcp.json')} its hooks are not read`,
      })),
  );
}

type List = NonNullable<Locations['list']>;
const namesIn = (root: string, list: List): string[] =>
  list(join(root, 'plugins'))
    .toSorted()
    .map((name) => join(root, 'plugins', name));
const isPlugin = (folder: string, list: List): boolean => list(folder).includes('.mcp.json');

function plugins(root: string, layer: Place['layer'], list: Locations['list'] = () => []): Place[] {
  return namesIn(root, list)
    .filter((folder) => isPlugin(folder, list))
    .map((folder) => ({ layer, file: join(folder, 'hooks', 'hooks.json'), folder }));
}
