/**
 * Loads trusted modules of other agents, each in its own process unless the host says otherwise, and joins the results.
 */

import { statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import type { Dialect, ForeignModuleFile, Locations } from '../events/dialect.ts';
import type { Limit, Reply } from '../events/exchange.ts';
import type { Hook } from '../events/hook.ts';
import { NO_OFFERS, type Offers } from '../events/offers.ts';
import type { Problem } from '../events/problems.ts';
import type { Services } from '../events/services.ts';
import type { IsolatedModule } from '../modules/isolate.ts';
import { joinOffers } from '../modules/join-offers.ts';
import type { ForeignModule, LoadedModule, LoaderTerms, ModuleLoaders } from '../modules/loader.ts';
import { missingModuleHook } from '../modules/missing-hook.ts';
import { packageEntry } from '../modules/package-entry.ts';
import { LOAD_DEADLINE_MS } from '../runners/module/load-module.mjs';
import { foldersOf } from './folders.ts';
import type { Gate } from './gate.ts';
import type { Isolate } from './options.ts';

export interface FoundForeign extends ForeignModuleFile {
  readonly dialect: Dialect;
  /** Why the file cannot be loaded. */
  readonly fault?: Problem;
}
export interface ForeignTerms {
  readonly gate: Gate | undefined;
  readonly services: Services;
  readonly locations: Locations;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly isolate: Isolate;
  readonly loaders: ModuleLoaders;
  readonly onStray: OnStrayError;
  readonly loadMs?: number;
  readonly handlerMs?: number;
  /** Aborts pending loads. */
  readonly signal?: AbortSignal;
}
/**
 * Reports an error that a module threw outside of a call: its file as shown to users, and the hook that started the
 * work.
 */
export type OnStrayError = (stray: {
  readonly file: string;
  readonly text: string;
  readonly hook?: string;
}) => void;
export interface ForeignModules {
  readonly hooks: readonly Hook[];
  readonly offers: Offers;
  readonly problems: readonly Problem[];
  /** Runs a hook by its index in that process. Returns undefined if there is no such process. */
  run(key: string, index: number, args: readonly unknown[], limit: Limit): Promise<Reply> | undefined;
  close(): Promise<void>;
}
type Run = (index: number, args: readonly unknown[], limit: Limit) => Promise<Reply>;
type Living = LoadedModule & Partial<Pick<IsolatedModule, 'close'>> & { readonly dialect: Dialect };

/**
 * Loads modules in the order found. Modules in this process load one after another, because each may depend on side
 * effects of the one before. Every other module has its own process, so a crash affects only that module. As many
 * processes start at once as there are cores, because starting takes longer than loading most modules.
 */
export async function loadForeignModules(
  modules: readonly FoundForeign[],
  terms: ForeignTerms,
): Promise<ForeignModules> {
  const runs = new Map<string, Run>();
  const loaded = new Map<FoundForeign, LoadedModule | undefined>();
  const loadNext = async (queue: FoundForeign[]): Promise<void> => {
    for (let module = queue.shift(); module !== undefined; module = queue.shift())
      loaded.set(module, await loadOne(module, terms, runs));
  };
  const [apart, here] = [true, false].map((wanted) =>
    modules.filter(({ layer }) => isApart({ layer, isForeign: true }, terms.isolate) === wanted),
  ) as [FoundForeign[], FoundForeign[]];
  await Promise.all([
    loadNext(here),
    ...Array.from({ length: availableParallelism() }, () => loadNext(apart)),
  ]);
  const living = modules.flatMap((module): Living[] => {
    const one = loaded.get(module);
    return one === undefined ? [] : [{ ...one, dialect: module.dialect }];
  });
  const joined = joinOffers(living);
  return {
    hooks: living.flatMap(({ hooks }) => hooks),
    offers: joined.offers,
    problems: [...living.flatMap(({ problems }) => problems), ...joined.problems],
    run: (key, index, args, limit) => runs.get(key)?.(index, args, limit),
    async close() {
      await Promise.all(living.map(async (one) => await one.dispose?.().catch(() => {})));
      for (const one of living) one.close?.();
    },
  };
}

async function loadOne(
  asked: FoundForeign,
  terms: ForeignTerms,
  runs: Map<string, Run>,
): Promise<LoadedModule | IsolatedModule | undefined> {
  const found = asked.fault ?? startOf(asked);
  if ('code' in found) return lost(asked, found, terms);
  const { dialect, file, layer, asker, options } = found;
  const trusted = layer === 'project' ? terms.gate?.module(file, asker, dialect.name, options) : { file };
  if (trusted === undefined || 'kind' in trusted) return undefined; // the gate has reported it
  const module: ForeignModule = {
    file: trusted.file,
    shown: file,
    layer,
    asker,
    ...(options !== undefined && { options }),
    ...(found.as !== undefined && { as: found.as }),
  };
  const { locations, services, env, loaders, loadMs = LOAD_DEADLINE_MS, handlerMs } = terms;
  const given: LoaderTerms = {
    cwd: locations.cwd,
    home: locations.home,
    env,
    services,
    deadlineMs: loadMs,
    kept: foldersOf(locations).compiled,
    ...(handlerMs !== undefined && { handlerMs }),
  };
  const loader = Object.hasOwn(loaders, dialect.name) ? loaders[dialect.name]! : undefined;
  if (loader === undefined) return lost(found, unloadable(found), terms);
  if (!isApart({ layer, isForeign: true }, terms.isolate))
    return await (await loader.import()).load(module, given);
  const { isolateModule } = await import('../modules/isolate.ts');
  const key = `${file}#${dialect.name}`;
  const isolated = await isolateModule(module, {
    ...given,
    dialect,
    loader: loader.url,
    key,
    onStray: (text, hook) => terms.onStray({ file, text, ...(hook && { hook: hook.id }) }),
    ...(terms.signal && { signal: terms.signal }),
  });
  if (isolated.opened !== undefined) runs.set(key, isolated.opened.run);
  return isolated;
}

/** Resolves a package folder to its entry file, which is what is judged, copied and loaded. */
function startOf(found: FoundForeign): FoundForeign | Problem {
  const { file, line } = found.asker;
  const stats = statSync(found.file, { throwIfNoEntry: false });
  if (stats === undefined && file !== found.file)
    return {
      code: 'file-unreadable',
      file,
      line,
      message: `names ${found.file}, which does not exist.`,
      remedy: 'Check the path.',
      severity: 'error',
    };
  if (stats?.isDirectory() !== true) return found;
  const entry = packageEntry(found.file);
  if (!('fault' in entry)) return { ...found, file: entry.file, as: 'package' };
  return { code: 'not-loaded', file, line, message: entry.fault, remedy: NO_ENTRY, severity: 'error' };
}

const NO_ENTRY =
  'Set its entry point in package.json ("main", or the field its agent reads), or name the file itself.';

const unloadable = ({ dialect, asker }: FoundForeign): Problem => ({
  code: 'not-loaded',
  file: asker.file,
  line: asker.line,
  message: `${dialect.name} modules cannot run here.`,
  severity: 'error',
});

/**
 * A module that cannot be loaded may have contained a guard, so it fails by the rule of its dialect. This does not
 * apply to a project file without any trusted entry, because blocking would let an untrusted file act.
 */
function lost(
  { dialect, file, layer, asker }: FoundForeign,
  problem: Problem,
  { gate }: Pick<ForeignTerms, 'gate'>,
): LoadedModule {
  const [word] = dialect.words['tool.before'] ?? [];
  const why = { kind: 'not-loaded', detail: problem.message } as const;
  const isUnknownToUser = layer === 'project' && gate?.knows(asker.file) === false;
  const hook =
    word === undefined || isUnknownToUser
      ? undefined
      : missingModuleHook(dialect.name, word, { file, shown: file, layer, asker }, why);
  return { hooks: hook ? [hook] : [], offers: NO_OFFERS, problems: [problem] };
}

/** Whether a module runs in its own process. */
export const isApart = (
  { layer, isForeign }: { readonly layer: string; readonly isForeign: boolean },
  isolate: Isolate,
): boolean =>
  isolate === 'all' || (isolate !== 'none' && layer === 'project') || (isolate === 'foreign' && isForeign);
