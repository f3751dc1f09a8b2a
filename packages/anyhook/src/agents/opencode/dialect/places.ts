/** Locations of OpenCode's settings. Computes paths only, without reading. */

import { isAbsolute, join } from 'node:path';
import type { Locations, Place } from '../../../events/dialect.ts';

const NAMES = ['opencode.json', 'opencode.jsonc'];

/** The global folder, then the project root, then its `.opencode`. */
export function places({ home, cwd, env }: Locations): Place[] {
  const xdg = env['XDG_CONFIG_HOME'] ?? '';
  const global = join(isAbsolute(xdg) ? xdg : join(home, '.config'), 'opencode');
  return [
    ...NAMES.map((name): Place => ({ layer: 'user', file: join(global, name) })),
    ...[cwd, join(cwd, '.opencode')].flatMap((folder) =>
      NAMES.map((name): Place => ({ layer: 'project', file: join(folder, name), folder: cwd })),
    ),
  ];
}
