/** Loads one plugin file and calls its exports. Never rejects: an error becomes a problem of that plugin. */

import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isPlain } from '../../../events/changes.ts';
import type { Problem } from '../../../events/problems.ts';
import { ownFile } from '../../../own-files.mjs';
import { loadModule, MORE_TIME } from '../../../runners/module/load-module.mjs';
import { describeThrown } from '../../../runners/module/thrown.mjs';
import { type ExportedPlugin, exportsOf } from './exports-of.ts';
import { type HooksRead, pluginHooksIn } from './hooks-in.ts';
import { inTime } from './in-time.ts';
import { packageFolder } from './package-folder.ts';
import { placeIn } from './place-in.ts';
import { pluginInput, type Surroundings } from './plugin-input.ts';
import type { PluginTarget } from './resolve-plugin.ts';

/** The module that OpenCode's packages resolve to in plugins that have not installed them. */
const OURS = ownFile('agents/opencode/api/tools/tool');
const HERE = dirname(OURS);

/** OpenCode's package names, including the spelling in its documentation. */
const PLUGIN = ['@opencode-ai/plugin', '@opencode/plugin'];
/** Dependencies of those packages, which plugins import without declaring them. */
const BROUGHT = ['@opencode-ai/sdk', 'zod'];

/** Maps import names to files, for a module in `folder`. */
function aliasesFor(folder: string): Readonly<Record<string, string>> {
  const isMissing = (name: string) => packageFolder(name, folder) === undefined;
  return Object.fromEntries([
    ...PLUGIN.filter(isMissing).flatMap((name) => [[name, OURS] as const, [`${name}/tool`, OURS] as const]),
    ...BROUGHT.filter(isMissing).flatMap(entriesOf),
  ]);
}

/** All entry points of one of our dependencies, from its `exports`. */
function entriesOf(name: string): readonly (readonly [string, string])[] {
  const folder = packageFolder(name, HERE);
  if (folder === undefined) return [];
  const about: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const exports = isPlain(about) && isPlain(about['exports']) ? about['exports'] : {};
  return Object.entries(exports).flatMap(([key, entry]) => {
    const target = isPlain(entry) ? (entry['import'] ?? entry['default']) : entry;
    if (typeof target !== 'string' || key.includes('*')) return [];
    const file = join(folder, target);
    return existsSync(file) ? [[`${name}${key.slice(1)}`, file] as const] : [];
  });
}

/** The default timeout of a plugin hook. OpenCode itself has none. */
export const HOOK_MS = 30_000;

export interface LivePlugin extends HooksRead {
  readonly target: PluginTarget;
  /** The name of its export. */
  readonly name: string;
  readonly id?: string;
}
export interface StartedPlugins {
  readonly plugins: readonly LivePlugin[];
  readonly problems: readonly Problem[];
}
export interface StartTerms extends Surroundings {
  /** For loading the file and for each exported function. */
  readonly timeoutMs: number;
  /** Folder for compiled code; default: in the user's own folder. */
  readonly kept?: string;
}

export async function startPlugin(target: PluginTarget, terms: StartTerms): Promise<StartedPlugins> {
  const { file } = target;
  const loaded = await loadModule(file, loadOptions(file, terms));
  if (!loaded.ok) return failed(named(loaded.problem, target));
  const read = exportsOf(loaded.exports, target.source);
  if ('fault' in read) return failed(notLoaded(target, read.fault));
  const tried: StartResult[] = [];
  for (const exported of read.plugins) tried.push(await start(exported, target, terms));
  return settle(tried, target, terms);
}

export const loadOptions = (file: string, { timeoutMs, kept }: Pick<StartTerms, 'timeoutMs' | 'kept'>) => ({
  deadlineMs: timeoutMs,
  alias: aliasesFor(dirname(file)),
  ...(kept !== undefined && { kept }),
});

type StartResult =
  | { readonly plugin: LivePlugin }
  | {
      readonly problem: Problem;
      /** It returned no hooks. */
      readonly isEmpty: boolean;
      readonly exported: ExportedPlugin;
    };

async function start(
  exported: ExportedPlugin,
  target: PluginTarget,
  terms: StartTerms,
): Promise<StartResult> {
  const { name, id } = exported;
  const input = pluginInput(terms);
  const options = target.options === undefined ? undefined : structuredClone(target.options);
  try {
    const returned = await inTime(() => exported.start(input, options), {
      timeoutMs: terms.timeoutMs,
      who: () => `the plugin ${target.spec} (${name})`,
    });
    const hooks = returned === (input as unknown) ? undefined : pluginHooksIn(returned);
    return hooks === undefined
      ? {
          isEmpty: true,
          exported,
          problem: notLoaded(target, `the export ${JSON.stringify(name)} returned no hooks`),
        }
      : { plugin: { ...hooks, target, name, ...(id !== undefined && { id }) } };
  } catch (thrown) {
    const { message } = describeThrown(thrown);
    const isLate = message.endsWith(`did not answer within ${terms.timeoutMs} ms`);
    const detail = `the export ${JSON.stringify(name)} ${isLate ? 'did not start' : 'threw'}: ${message}`;
    const problem = { ...notLoaded(target, detail), ...placeIn(thrown, target) };
    return { isEmpty: false, exported, problem: isLate ? { ...problem, remedy: MORE_TIME } : problem };
  }
}

/**
 * Calls every exported function like OpenCode, because plugins cannot be told apart from helpers. If another export
 * returns hooks, an export without hooks is only logged, and a helper that throws is a warning, because the guard next
 * to it works.
 */
function settle(
  tried: readonly StartResult[],
  target: PluginTarget,
  { services }: StartTerms,
): StartedPlugins {
  const plugins = tried.flatMap((one) => ('plugin' in one ? one.plugin : []));
  const problems = tried.flatMap((one): Problem[] => {
    if ('plugin' in one) return [];
    if (plugins.length === 0) return [one.problem];
    if (one.isEmpty) {
      services.log?.('debug', `${target.file}: ${one.problem.message}`);
      return [];
    }
    return [looksLikePlugin(one.exported) ? one.problem : { ...one.problem, ...HELPER }];
  });
  return { plugins, problems: [...problems, ...plugins.flatMap(faultsOf)] };
}

const HELPER = {
  severity: 'warning',
  remedy:
    'The other exports work. If this is a helper, move it to another file: OpenCode calls every export.',
} as const;

/** A plugin is the default export, has a typical name or an id, or destructures OpenCode's plugin argument. */
const looksLikePlugin = ({ name, id, start }: ExportedPlugin): boolean =>
  name === 'default' ||
  id !== undefined ||
  /plugin/i.test(name) ||
  /^[^{]*\(\s*\{[^}]*\b(?:client|project|directory|worktree|serverUrl|\$)/.test(String(start));

export const faultsOf = ({ target, faults }: LivePlugin): Problem[] =>
  faults.map(({ code, key, message }) => ({
    code,
    file: target.file,
    key,
    message,
    severity: code === 'unknown-key' ? 'warning' : 'error',
  }));

const failed = (problem: Problem): StartedPlugins => ({ plugins: [], problems: [problem] });

const notLoaded = ({ file, spec }: PluginTarget, message: string): Problem => ({
  code: 'not-loaded',
  file,
  message: `plugin ${JSON.stringify(spec)}: ${message}`,
  severity: 'error',
});

/** Reports a plugin for Bun as such, instead of a missing package. */
function named(problem: Problem, { spec }: PluginTarget): Problem {
  const needsBun =
    /['"]bun(?::[\w-]*)?['"]|requires Bun\b/.test(problem.message) && process.versions['bun'] === undefined;
  return {
    ...problem,
    message: `plugin ${JSON.stringify(spec)}: ${problem.message}`,
    ...(needsBun && {
      remedy: 'It imports Bun’s own modules: run the host on Bun, and the plugin in its process.',
    }),
  };
}
