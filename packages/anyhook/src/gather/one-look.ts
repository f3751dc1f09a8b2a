/**
 * Caches disk lookups during one opening of hooks. Many dialects look up the same paths in every parent folder, and
 * nothing is looked up in folders that do not exist. The next opening starts with an empty cache.
 */

import { existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Locations } from '../events/dialect.ts';
import { readSettingsFile, type SettingsFileRead } from '../settings/read-file.ts';
import type { ProjectLook } from './nearest-project.ts';

export interface OneLook {
  readonly places: Pick<Required<Locations>, 'list' | 'read' | 'obstacle'>;
  readonly project: ProjectLook;
}

export function oneLook({ list, obstacle }: Required<Locations>): OneLook {
  const isMissing = remembered((folder: string): boolean => {
    const parent = dirname(folder);
    if (parent === folder) return false;
    if (isMissing(parent)) return true;
    try {
      return statSync(folder, { throwIfNoEntry: false }) === undefined;
    } catch {
      return false; // whoever opens it gets the error
    }
  });
  const read = remembered((file: string): SettingsFileRead =>
    isMissing(dirname(file)) ? MISSING : readSettingsFile(file),
  );
  return {
    places: {
      list: remembered((folder) => (isMissing(folder) ? [] : list(folder))),
      obstacle: remembered((folder) => (isMissing(folder) ? undefined : obstacle(folder))),
      read(file) {
        const found = read(file);
        return found.kind === 'text' ? found.text : undefined;
      },
    },
    project: { isThere: existsSync, read },
  };
}

const MISSING: SettingsFileRead = { kind: 'missing' };

function remembered<T>(find: (path: string) => T): (path: string) => T {
  const known = new Map<string, { readonly found: T }>();
  return (path) => {
    let seen = known.get(path);
    if (seen === undefined) known.set(path, (seen = { found: find(path) }));
    return seen.found;
  };
}
