/** Locations of our own settings. Computes paths only, without disk access. */

import { isAbsolute, join } from 'node:path';
import type { Locations, Place } from '../../../events/dialect.ts';
import type { Layer } from '../../../events/hook.ts';

export interface ModulePlace {
  readonly layer: Layer;
  readonly folder: string;
  /** The settings file next to it, whose settings also apply to its modules. */
  readonly settings: string;
  readonly endings: readonly string[];
}

export const MODULE_ENDINGS = ['.ts', '.js', '.mjs'] as const;

export const places = (locations: Locations): readonly Place[] =>
  homes(locations).map(({ layer, home, folder }) => ({
    layer,
    file: join(home, 'hooks.json'),
    ...(folder !== undefined && { folder }),
  }));

/** Folders whose modules are hooks without being listed in settings. */
export const modulePlaces = (locations: Locations): readonly ModulePlace[] =>
  homes(locations).map(({ layer, home }) => ({
    layer,
    folder: join(home, 'hooks'),
    settings: join(home, 'hooks.json'),
    endings: MODULE_ENDINGS,
  }));

function homes({ home, cwd, env, managed }: Locations): { layer: Layer; home: string; folder?: string }[] {
  const project = { layer: 'project' as const, home: join(cwd, '.anyhook'), folder: cwd };
  const xdg = env['XDG_CONFIG_HOME'] ?? '';
  // A relative base would read a project file as the user's own.
  const base = isAbsolute(xdg) ? xdg : isAbsolute(home) ? join(home, '.config') : undefined;
  return [
    ...(managed === undefined
      ? []
      : [{ layer: 'managed' as const, home: managed.inForce ?? managed.folder }]),
    ...(base === undefined ? [] : [{ layer: 'user' as const, home: join(base, 'anyhook') }]),
    project,
  ];
}
