import { isScript } from '../dialect/script.ts';
import { discoverHooks } from './discover.ts';
import { type LoadHooksOptions, loadHooks } from './load.ts';
import { resolvePath } from './resolve-path.ts';
import { scriptHook } from './script-hook.ts';
import type { LoadHooksResult } from './types/index.ts';

export interface DiscoverOptions extends LoadHooksOptions {
  /** Runs shell scripts in the hook folders as commands instead of reporting them. */
  readonly scripts?: 'run';
}

/** Loads hooks from the folders of the agents, then named ones, each file once. Never throws. */
export async function discoverAndLoadHooks(
  configuredPaths: readonly string[],
  cwd: string,
  options: DiscoverOptions = {},
): Promise<LoadHooksResult> {
  const { hooks, warnings } = discoverHooks(cwd, options.home);
  const named = configuredPaths.map((path) =>
    typeof path === 'string' && path !== '' ? resolvePath(path, cwd, options.home) : path,
  );
  const paths = [...new Set([...hooks.map(({ path }) => path), ...named])];
  const scripts = new Map(
    hooks
      .filter((found) => options.scripts === 'run' && isScript(found))
      .map((found) => [found.path, scriptHook(found, cwd)]),
  );
  const modules = paths.filter((path) => !scripts.has(path));
  const loaded = await loadHooks(modules, cwd, options);
  const byPath = new Map([...scripts, ...loaded.hooks.map((hook) => [hook.path, hook] as const)]);
  return {
    hooks: paths.flatMap((path) => byPath.get(path) ?? []),
    errors: loaded.errors,
    warnings: [...warnings, ...loaded.warnings],
  };
}
