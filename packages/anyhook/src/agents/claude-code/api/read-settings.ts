/** Claude Code's hooks, as its own files configure them. Reads, and runs nothing. */
import { basename, resolve } from 'node:path';
import type { Locations } from '../../../events/dialect.ts';
import type { Hook, Layer } from '../../../events/hook.ts';
import type { Problem } from '../../../events/problems.ts';
import { claudeCode } from '../dialect/index.ts';
import { claudeBase, pluginPlaces } from '../dialect/places.ts';
import { loadSettings, type SettingsSource } from '../../../settings/load.ts';
import { readSettingsFile } from '../../../settings/read-file.ts';
import { withSafeReaders } from '../../../events/safe-readers.ts';
import { locationsOf } from '../../../gather/folders.ts';
import { nearestProject } from '../../../gather/nearest-project.ts';

export interface ReadSettingsOptions {
  /** The project, or a folder below it; default: the process's folder. */
  readonly cwd?: string;
  /** The home folder; default: the user's. */
  readonly home?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Which files count; default: all of them. */
  readonly layers?: readonly Layer[];
  /** Folders of plugins, as `--plugin-dir` takes them: each with a `hooks/hooks.json` or a manifest. */
  readonly plugins?: readonly string[];
}
export interface ClaudeSettings {
  /** In the order in which they are configured; what `disableAllHooks` switches off is not among them. */
  readonly hooks: readonly Hook[];
  /** One entry per thing that did not load, with file, line and column. */
  readonly problems: readonly Problem[];
  /** The files that were there. */
  readonly files: readonly string[];
}

const READ = [withSafeReaders(claudeCode)];

/** Never throws because of a file: what is wrong with it is among the problems. */
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

/** As `--plugin-dir` does it: for this session, under a name of its own. */
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
              message: 'is not there.',
              severity: 'warning',
            } as const,
          ]
        : []),
    ],
  };
}
