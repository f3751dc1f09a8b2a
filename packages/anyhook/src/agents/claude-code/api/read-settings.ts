/** Reads the hooks in Claude Code's settings files without running them. */

import { basename, resolve } from 'node:path';
import type { Locations } from '../../../events/dialect.ts';
import type { Hook, Layer } from '../../../events/hook.ts';
import type { Problem } from '../../../events/problems.ts';
import { withSafeReaders } from '../../../events/safe-readers.ts';
import { locationsOf } from '../../../gather/folders.ts';
import { nearestProject } from '../../../gather/nearest-project.ts';
import { loadSettings, type SettingsSource } from '../../../settings/load.ts';
import { readSettingsFile } from '../../../settings/read-file.ts';
import { claudeCode } from '../dialect/index.ts';
import { claudeBase, pluginPlaces } from '../dialect/places.ts';

export interface ReadSettingsOptions {
  /** The project, or a folder below it; default: the working folder of the process. */
  readonly cwd?: string;
  /** The home folder; default: the user's. */
  readonly home?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Layers to read; default: all. */
  readonly layers?: readonly Layer[];
  /** Plugin folders, as for `--plugin-dir`, each with a `hooks/hooks.json` or a manifest. */
  readonly plugins?: readonly string[];
}
export interface ClaudeSettings {
  /** In configuration order, without hooks that `disableAllHooks` disables. */
  readonly hooks: readonly Hook[];
  /** One entry per item that did not load, with file, line and column. */
  readonly problems: readonly Problem[];
  /** The files that were found. */
  readonly files: readonly string[];
}

const READ = [withSafeReaders(claudeCode)];

/** Never throws because of a file; errors in it become problems. */
export function readSettings(options: ReadSettingsOptions = {}): ClaudeSettings {
  const here = locationsOf(options);
  const locations = { ...here, cwd: nearestProject(READ, here) };
  const brought = (options.plugins ?? []).map((folder) => pluginIn(resolve(here.cwd, folder), locations));
  const sources = brought.flatMap((one) => one.sources);
  const { hooks, problems, files } = loadSettings(READ, locations, options.layers, sources);
  return {
    hooks,
    problems: [...problems, ...brought.flatMap((one) => one.problems)],
    files: files.map(({ file }) => file),
  };
}

/** Like `--plugin-dir`: for this session, under a separate name. */
function pluginIn(
  root: string,
  locations: Locations,
): { readonly sources: readonly SettingsSource[]; readonly problems: readonly Problem[] } {
  const base = claudeBase(locations) ?? locations.cwd;
  const plugin = {
    id: `${basename(root)}@inline`,
    root,
    layer: 'session',
    asker: root,
    options: {},
  } as const;
  const found = pluginPlaces(plugin, locations, base).map((place) => ({
    place,
    read: readSettingsFile(place.file),
  }));
  const [standard] = found;
  const isMissing = found.every(({ read }) => read.kind === 'missing');
  return {
    sources: found.flatMap(({ place, read }) =>
      read.kind === 'text' ? [{ dialect: claudeCode.name, text: read.text, place }] : [],
    ),
    problems: [
      ...found.flatMap(({ read }) => (read.kind === 'problem' ? [read.problem] : [])),
      ...(isMissing
        ? [
            {
              code: 'file-unreadable',
              file: standard!.place.file,
              message: 'does not exist.',
              severity: 'warning',
            } as const,
          ]
        : []),
    ],
  };
}
