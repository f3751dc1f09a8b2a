/**
 * Loads a plugin as hooks and offers of the engine, next to hooks of other dialects, with one outcome and one record.
 */

import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { isPlain } from '../../../events/changes.ts';
import type { Fields } from '../../../events/effects.ts';
import type { Hook, Origin } from '../../../events/hook.ts';
import { NO_OFFERS } from '../../../events/offers.ts';
import type { Problem } from '../../../events/problems.ts';
import type { Services } from '../../../events/services.ts';
import type { LoadModule, LoadedModule, ForeignModule, LoaderTerms } from '../../../modules/loader.ts';
import { missingModuleHook } from '../../../modules/missing-hook.ts';
import { packageEntry } from '../../../modules/package-entry.ts';
import { loadModule } from '../../../runners/module/load-module.mjs';
import { describeThrown } from '../../../runners/module/thrown.mjs';
import { hooksFromPlugin } from '../dialect/definition.ts';
import { pluginHooksIn } from './hooks-in.ts';
import { HostFeed } from './host-feed.ts';
import { pluginOffers } from './offers-of.ts';
import type { Surroundings } from './plugin-input.ts';
import { openCodeProject, worktreeFolder } from './project-of.ts';
import type { PluginTarget } from './resolve-plugin.ts';
import {
  HOOK_MS,
  type LivePlugin,
  startPlugin,
  faultsOf,
  loadOptions,
  type StartedPlugins,
  type StartTerms,
} from './start-plugin.ts';
import { toolsInModule } from './tools/definitions-in.ts';
import { userConfig } from './user-config.ts';

/** Loads a file in `tool/` or `tools/`, which exports tools instead of a plugin. Never rejects. */
async function startTools(target: PluginTarget, terms: StartTerms): Promise<StartedPlugins> {
  const loaded = await loadModule(target.file, loadOptions(target.file, terms));
  if (!loaded.ok) return { plugins: [], problems: [loaded.problem] };
  const read = toolsOf(target, loaded.exports);
  if (typeof read === 'string') return { plugins: [], problems: [problem(target, read)] };
  return { plugins: [read], problems: faultsOf(read) };
}

function toolsOf(target: PluginTarget, exports: unknown) {
  try {
    const tool = toolsInModule(target.spec, Object(exports) as Record<string, unknown>);
    if (Object.keys(tool).length === 0)
      return 'does not export a tool: write export default tool({ description, args, execute })';
    return { ...pluginHooksIn({ tool })!, target, name: 'default' };
  } catch (error) {
    return `its exports cannot be read: ${describeThrown(error).message}`;
  }
}

const problem = ({ file }: PluginTarget, message: string): Problem => ({
  code: 'not-loaded',
  file,
  message,
  severity: 'error',
});

export const load: LoadModule = async (module, terms) => {
  const target = targetOf(module);
  if ('code' in target) return lost(module, [target]);
  const over = new AbortController();
  const around = await surroundings(terms, over.signal);
  const start = module.as === 'tools' ? startTools : startPlugin;
  const { deadlineMs: timeoutMs, kept } = terms;
  const started = await start(target, { ...around, timeoutMs, ...(kept !== undefined && { kept }) });
  const { offers, problems } = pluginOffers(started.plugins, { ...around, layer: module.layer });
  const allProblems = [...started.problems, ...problems, ...unused(started.plugins)].map((problem) =>
    knownBy(problem, module, target),
  );
  if (started.plugins.length === 0) return lost(module, allProblems);
  const disposals = started.plugins.map(onceDisposed);
  return {
    hooks: configured(
      listening(started.plugins, around.feed),
      () => userConfig({ home: terms.home, cwd: terms.cwd, env: terms.env, layer: module.layer }),
      terms.services.log,
    ).flatMap((plugin, index) =>
      hooksOf(plugin, index, module, { dispose: disposals[index]!, timeoutMs: terms.handlerMs ?? HOOK_MS }),
    ),
    offers,
    problems: allProblems,
    async dispose() {
      await around.feed.settled();
      await Promise.allSettled(disposals.map((end) => end()));
      over.abort();
    },
  };
};

/** A file, or the folder of a package. */
function targetOf({ file, shown, options, as }: ForeignModule): PluginTarget | Problem {
  const given = isPlain(options) ? { options } : {};
  if (as === 'package')
    return { spec: shown, file, root: dirname(file), key: file, source: 'package', ...given };
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory() !== true)
    return { spec: shown, file, root: dirname(file), key: file, source: 'path', ...given };
  const entry = packageEntry(file);
  if ('fault' in entry)
    return {
      code: 'not-loaded',
      file: shown,
      message: `plugin ${JSON.stringify(shown)}: ${entry.fault}`,
      severity: 'error',
    };
  return { spec: shown, file: entry.file, root: file, key: entry.name ?? file, source: 'package', ...given };
}

async function surroundings(
  { cwd, home, env, services }: LoaderTerms,
  signal: AbortSignal,
): Promise<Surroundings> {
  const worktree = worktreeFolder(cwd);
  const project = await openCodeProject(worktree);
  return { directory: cwd, worktree, project, services, env, home, feed: new HostFeed(), signal };
}

/**
 * Passes the arguments of `config` and `event` hooks to the client, also for plugins that only follow events through
 * the client.
 */
function listening(plugins: readonly LivePlugin[], feed: HostFeed): LivePlugin[] {
  const listener = plugins.findIndex(({ calls }) => calls.has('event'));
  const first = listener === -1 && feed.isFollowed ? 0 : listener;
  return plugins.map((plugin, index) => {
    const calls = new Map(plugin.calls);
    const [config, event] = [calls.get('config'), calls.get('event')];
    if (config !== undefined)
      calls.set('config', (...args) => {
        feed.config = args[0] as Fields;
        return config(...args);
      });
    if (event !== undefined || index === first)
      calls.set('event', (...args) => {
        if (index === first) feed.tell((args[0] as { event: Fields }).event);
        return feed.hold(event?.(...args));
      });
    return { ...plugin, calls };
  });
}

/**
 * OpenCode calls `config` before any other hook of a plugin. Most other agents have no such event: there it is called
 * with the user's `opencode.json` before the first other hook. A `config` hook that throws is logged and does not stop
 * the plugin, as in OpenCode.
 */
const configured = (
  plugins: readonly LivePlugin[],
  readConfig: () => Fields,
  log: Services['log'],
): LivePlugin[] =>
  plugins.map((plugin) => {
    const config = plugin.calls.get('config');
    if (config === undefined) return plugin;
    let done: Promise<void> | undefined;
    const byHost: typeof config = (...args) => {
      done ??= Promise.resolve();
      return config(...args);
    };
    const once = (): Promise<void> =>
      (done ??= (async () => {
        try {
          await config(readConfig());
        } catch (error) {
          const { message } = describeThrown(error);
          log?.('error', `${plugin.target.file}: its config hook failed: ${message}`);
        }
      })());
    const calls = [...plugin.calls].map(([on, call]): [typeof on, typeof call] => {
      if (on === 'config') return [on, byHost];
      if (on === 'dispose') return [on, call];
      return [on, async (...args) => (await once(), await call(...args))];
    });
    return { ...plugin, calls: new Map(calls) };
  });

function hooksOf(
  plugin: LivePlugin,
  index: number,
  module: ForeignModule,
  { dispose, timeoutMs }: { readonly dispose: () => Promise<void>; readonly timeoutMs: number },
): Hook[] {
  const { shown, layer } = module;
  const origin: Origin = { layer, file: shown, line: 1 };
  return [...plugin.calls].flatMap(([on, call]) =>
    hooksFromPlugin({
      on,
      origin,
      fn: on === 'dispose' ? dispose : call,
      timeoutMs,
      nth: index + 1,
      ...(plugin.id !== undefined && { plugin: plugin.id }),
    }),
  );
}

/** Called at the end of a session and of the engine. A plugin is disposed once. */
function onceDisposed({ calls }: LivePlugin): () => Promise<void> {
  let over: Promise<void> | undefined;
  return () =>
    (over ??= (async () => {
      await calls.get('dispose')?.();
    })());
}

/** A module that did not load may have contained a guard. A hook replaces it and fails by the rule of its dialect. */
function lost(module: ForeignModule, problems: readonly Problem[]): LoadedModule {
  const detail = problems[0]?.message ?? `${module.shown} returned no hooks`;
  if (module.as === 'tools') return { hooks: [], offers: NO_OFFERS, problems }; // tools contain no guard
  const hook = missingModuleHook('opencode', 'tool.execute.before', module, { kind: 'not-loaded', detail });
  return { hooks: [hook], offers: NO_OFFERS, problems };
}

/** Reports provider hooks: no host here reads models from plugins. */
const unused = (plugins: readonly LivePlugin[]): Problem[] =>
  plugins
    .filter(({ provider }) => provider !== undefined)
    .map(({ target }) => ({
      code: 'service-missing',
      file: target.file,
      key: 'provider',
      message: 'the provider hook is not used here',
      severity: 'warning',
    }));

/** The plugin may run from a trusted copy; problems name the original file. */
const knownBy = (problem: Problem, module: ForeignModule, target: PluginTarget): Problem =>
  problem.file === module.file || problem.file === target.file
    ? {
        ...problem,
        file: target.source === 'package' && module.as === undefined ? target.file : module.shown,
      }
    : problem;
