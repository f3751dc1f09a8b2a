import { sentences } from '../../../events/problems.ts';
import { extensionEntries } from '../../../modules/extension-entries.ts';
import { loadModule, MORE_TIME } from '../../../runners/module/load-module.mjs';
import { absences } from './host-packages/absence.ts';
import { hostPackages } from './host-packages/index.ts';
import { isExtension } from './is-extension.ts';
import { type Making, makeHook } from './make-hook.ts';
import { placeOf } from './place-of.ts';
import { resolvePath } from './resolve-path.ts';
import { timed } from './stopwatch.ts';
import { thrownLine } from './thrown-line.ts';
import type { HookFactory, HookLoadError, LoadedHook, LoadHooksResult } from './types/index.ts';

export interface LoadHooksOptions {
  /** The folder for `~`; default: the user's home folder. */
  readonly home?: string;
  /** Timeout for one module and for its factory, each. */
  readonly timeoutMs?: number;
  /** Loads each module in its own process, so that one that blocks, exits or leaks does not affect others. */
  readonly isolate?: boolean;
  /** The original path of a module that is loaded from a copy. */
  readonly shown?: string;
  /** Folder for compiled code; default: in the user's own folder. */
  readonly kept?: string;
}

export type Warn = Making['warn'];

const LOAD_MS = 30_000;

/**
 * Loads modules one after another in the given order; for a package, the files it lists. Never throws: what does not
 * load becomes an entry of `errors`.
 */
export async function loadHooks(
  paths: readonly string[],
  cwd: string,
  options: LoadHooksOptions = {},
): Promise<LoadHooksResult> {
  const result: LoadHooksResult = { hooks: [], errors: [], warnings: [] };
  for (const path of paths) {
    if (typeof path !== 'string' || path === '') {
      result.errors.push({ path: String(path), error: 'A hook is named by the path of its module.' });
      continue;
    }
    const warn: Warn = (error, place) => void result.warnings.push({ path, error, ...place });
    const load = options.isolate === true ? (await import('./load-isolated.ts')).loadIsolated : loadHook;
    for (const file of filesOf(path, cwd, options.home)) {
      const loaded = await load(file, cwd, warn, options);
      if ('error' in loaded) result.errors.push(loaded);
      else result.hooks.push(loaded);
    }
  }
  return result;
}

/** Returns the path unchanged, unless it is a package. */
function filesOf(path: string, cwd: string, home: string | undefined): readonly string[] {
  const place = resolvePath(path, cwd, home);
  const [first = place, ...more] = extensionEntries(place);
  return first === place ? [path] : [first, ...more];
}

async function loadHook(
  path: string,
  cwd: string,
  warn: Warn,
  { home, timeoutMs = LOAD_MS, shown, kept }: LoadHooksOptions,
): Promise<LoadedHook | HookLoadError> {
  const resolvedPath = resolvePath(path, cwd, home);
  const absent = absences((message, name) => warn(message, placeOf(name, resolvedPath)));
  const module = await loadModule(resolvedPath, {
    deadlineMs: timeoutMs,
    host: hostPackages(resolvedPath, absent, () => import('./index.ts')),
    ...(kept !== undefined && { kept }),
  });
  if (!module.ok)
    return { path, error: `Failed to load hook: ${placed(module.problem)}`, ...at(module.problem) };
  const factory = factoryIn(module.exports);
  if (factory === undefined)
    return { path, error: 'Hook must export a default function: export default function (pi) { … }' };
  const { hook, api, usesMore } = makeHook({ path, resolvedPath, cwd, warn });
  try {
    await timed(() => factory(api), { timeoutMs, who: 'the default function' });
  } catch (thrown) {
    const message = thrownLine(thrown);
    const isLate = message.endsWith(`did not answer within ${timeoutMs} ms`);
    return { path, error: `Failed to load hook: ${message}${isLate ? `. ${MORE_TIME}` : ''}` };
  }
  absent.settle();
  const registered = [hook.handlers, hook.commands, hook.messageRenderers, hook.tools, hook.flags];
  if ([...registered, hook.shortcuts, hook.providers].every(({ size }) => size === 0))
    warn('registered nothing: no handler, command, tool or renderer');
  const seen = { file: resolvedPath, shown: shown ?? resolvedPath, usesMore: usesMore() };
  return isExtension(seen) ? { ...hook, isExtension: true } : hook;
}

/** `module.exports = function` is accepted too, because a default import returns it. */
function factoryIn(exports: unknown): HookFactory | undefined {
  if (typeof exports === 'function') return exports as HookFactory;
  const found =
    typeof exports === 'object' && exports !== null ? (exports as { default?: unknown }).default : undefined;
  return typeof found === 'function' ? (found as HookFactory) : undefined;
}

function placed({ message, remedy, line, column }: PlacedError): string {
  const place = line === undefined ? '' : ` (line ${line}${column === undefined ? '' : `:${column}`})`;
  return sentences([`${message}${place}`, remedy]);
}
const at = ({ line, column }: PlacedError) => ({
  ...(line !== undefined && { line }),
  ...(column !== undefined && { column }),
});
interface PlacedError {
  readonly message: string;
  readonly remedy?: string;
  readonly line?: number;
  readonly column?: number;
}
