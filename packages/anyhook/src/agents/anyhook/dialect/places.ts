/** Where our own settings live. Folders only: nothing is looked at here. */
import { isAbsolute, join } from 'node:path';
import type { Locations, Place } from '../../../events/dialect.ts';
import type { Layer } from '../../../events/hook.ts';

export interface ModulePlace {
  readonly layer: Layer;
  readonly folder: string;
  /** The settings file beside it, which speaks for its modules too. */
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

/** The folders whose modules are hooks without being named anywhere. */
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
  // A relative base would read a project's file as the user's own.
  const base = isAbsolute(xdg) ? xdg : isAbsolute(home) ? join(home, '.config') : undefined;
  return [
    ...(managed === undefined
      ? []
      : [{ layer: 'managed' as const, home: managed.inForce ?? managed.folder }]),
    ...(base === undefined ? [] : [{ layer: 'user' as const, home: join(base, 'anyhook') }]),
    project,
  ];
}
