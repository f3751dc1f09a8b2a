/** Claude Code's hooks, as its own files configure them. Reads, and runs nothing. */
import { join, resolve } from 'node:path';
import type { Hook, Layer } from '../../canon/hook.ts';
import type { Problem } from '../../canon/problems.ts';
import { claudeCode } from '../../dialects/claude-code/index.ts';
import { loadSettings, type SettingsSource } from '../../settings/load.ts';
import { readSettingsFile } from '../../settings/read-file.ts';
import { locationsOf } from '../../assembly/folders.ts';
import { nearestProject } from '../../assembly/nearest-project.ts';

export interface ReadSettingsOptions {
  /** The project, or a folder below it; default: the process's folder. */
  readonly cwd?: string;
  /** The home folder; default: the user's. */
  readonly home?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Which files count; default: all of them. */
  readonly layers?: readonly Layer[];
  /** Folders of plugins, as `--plugin-dir` takes them: each with a `hooks/hooks.json`. */
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

/** Never throws because of a file: what is wrong with it is among the problems. */
export function readSettings(options: ReadSettingsOptions = {}): ClaudeSettings {
  const here = locationsOf(options);
  const locations = { ...here, cwd: nearestProject([claudeCode], here) };
  const brought = (options.plugins ?? []).map((folder) => pluginIn(resolve(here.cwd, folder), locations.cwd));
  const sources = brought.flatMap(({ source }) => source ?? []);
  const { hooks, problems, files } = loadSettings([claudeCode], locations, options.layers, sources);
  return {
    hooks,
    problems: [...problems, ...brought.flatMap(({ problem }) => problem ?? [])],
    files: files.map(({ file }) => file),
  };
}

function pluginIn(
  folder: string,
  cwd: string,
): { readonly source?: SettingsSource; readonly problem?: Problem } {
  const file = join(folder, 'hooks', 'hooks.json');
  const found = readSettingsFile(file);
  if (found.kind === 'problem') return { problem: found.problem };
  if (found.kind === 'missing')
    return { problem: { code: 'file-unreadable', file, message: 'is not there.', severity: 'warning' } };
  const vars = { CLAUDE_PROJECT_DIR: cwd, CLAUDE_PLUGIN_ROOT: folder };
  return { source: { dialect: claudeCode.name, text: found.text, place: { layer: 'session', file, vars } } };
}
