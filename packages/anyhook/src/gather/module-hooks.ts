/** Loads modules written for anyhook: user modules in this process, project modules in separate processes. */

import { dirname } from 'node:path';
import {
  type DefinedHook,
  hookFromDefinition,
  missingOwnHook,
} from '../agents/anyhook/dialect/definition.ts';
import type { Dialect, Locations } from '../events/dialect.ts';
import type { Event } from '../events/event.ts';
import type { EventName } from '../events/events.ts';
import type { HookFailure, Limit, Reply } from '../events/exchange.ts';
import { type Hook, inOwnPaths, type WayOf } from '../events/hook.ts';
import type { Problem } from '../events/problems.ts';
import type { Services } from '../events/services.ts';
import type { ModuleLoaders } from '../modules/loader.ts';
import { strayErrorText } from '../runners/isolated/stray-error.ts';
import { definitionsIn } from '../runners/module/definitions-in.ts';
import { LOAD_DEADLINE_MS, loadModule } from '../runners/module/load-module.mjs';
import type { ErrorOwner, RunOwned } from '../runners/module/stray-errors.ts';
import type { DepthLimit } from '../runs/depth-limit.ts';
import type { FoundModule } from '../settings/module-files.ts';
import { foldersOf } from './folders.ts';
import type { Gate } from './gate.ts';
import { isApart, type OnStrayError } from './load-foreign.ts';
import { callbacksIn, isolateCallbacks, mayHoldCallbacks, withCallbacks } from './module-callbacks.ts';
import { ModulesNeedProcess } from './modules-need-process.ts';
import type { Isolate } from './options.ts';

export interface OwnModules {
  readonly hooks: readonly Hook[];
  readonly problems: readonly Problem[];
  /** Started processes, by the file they run. */
  readonly processes: ReadonlyMap<string, OpenedProcess>;
}
interface OpenedProcess {
  run(index: number, args: readonly unknown[], limit: Limit): Promise<Reply>;
  close(): void;
}
interface Terms {
  readonly gate: Gate | undefined;
  readonly services: Services;
  readonly locations: Locations;
  readonly depthLimit: DepthLimit;
  readonly isolate: Isolate;
  readonly refuseImports: boolean;
  readonly loaders: ModuleLoaders;
  readonly onStray: OnStrayError;
  /** Runs loaded code in this process, so that errors can be attributed to their module. */
  readonly runOwned: RunOwned | undefined;
  readonly loadMs?: number;
  /** Reads exports for the Claude Agent SDK; undefined: they are ignored. */
  readonly sdk: Dialect | undefined;
}

export async function loadModules(modules: readonly FoundModule[], terms: Terms): Promise<OwnModules> {
  const processes = new Map<string, OpenedProcess>();
  const loaded: One[] = [];
  for (const module of modules) loaded.push(await loadOne(module, terms, processes));
  return {
    hooks: loaded.flatMap(({ hooks }) => hooks),
    problems: loaded.flatMap(({ problems }) => problems),
    processes,
  };
}

type One = Pick<OwnModules, 'hooks' | 'problems'>;

/** Loads a project module from its trusted copy. */
async function loadOne(
  module: FoundModule,
  terms: Terms,
  processes: Map<string, OpenedProcess>,
): Promise<One> {
  const { file, asker, line, layer } = module;
  const trusted = layer === 'project' ? terms.gate?.module(file, { file: asker, line }) : { file };
  if (trusted === undefined) return { hooks: [], problems: [] }; // the gate has reported it
  if ('kind' in trusted)
    return trusted.kind === 'no-time'
      ? notLoaded(module, trusted, outOfTime(module))
      : { hooks: [], problems: [] };
  const from = trusted.file;
  const loaded = isApart({ layer, isForeign: false }, terms.isolate)
    ? await isolate(module, from, terms, processes)
    : await loadHere(module, from, terms);
  return {
    hooks: loaded.hooks.map((hook) => ({
      ...withOwnPaths(hook, from, file),
      ...(module.shadow && { shadow: true }),
    })),
    problems: loaded.problems.map((problem) => ({
      ...problem,
      message: inOwnPaths(problem.message, copyOf(from, file)),
    })),
  };
}

const outOfTime = ({ file }: FoundModule): Problem => ({
  code: 'not-loaded',
  file,
  message: 'was not checked: the time limit for this event was reached.',
  severity: 'warning',
});

async function loadHere(
  module: FoundModule,
  from: string,
  { sdk, runOwned, locations, refuseImports, loadMs = LOAD_DEADLINE_MS }: Terms,
): Promise<One> {
  if (refuseImports) throw new ModulesNeedProcess();
  const { file } = module;
  const load = () => loadModule(from, { kept: foldersOf(locations).compiled, deadlineMs: loadMs });
  const loaded = await (runOwned?.({ file }, load) ?? load());
  if (!loaded.ok) return notLoaded(module, loaded.breakage, { ...loaded.problem, file: module.file });
  const { definitions, unsound, others, problems } = definitionsIn(loaded.exports, module.file);
  const defined = definitions.map(({ export: key, definition, self }) =>
    hookFromDefinition(definition, key, originOf(module, definition), {
      kind: 'call',
      direct: true,
      fn: ownedFn({ file, hook: definition.name ?? key }, definition.run as unknown as Fn, runOwned),
      ...(self && { self }),
    }),
  );
  const own = joined(module, defined, unsound, problems);
  if (sdk === undefined || !others.some(mayHoldCallbacks)) return own;
  const theirs = await callbacksIn(loaded.exports, module, from);
  return withCallbacks(own, { ...theirs, hooks: theirs.hooks.map((hook) => ownedHook(hook, runOwned)) });
}

async function isolate(
  module: FoundModule,
  from: string,
  terms: Terms,
  processes: Map<string, OpenedProcess>,
): Promise<One> {
  const { services, locations, depthLimit, loadMs = LOAD_DEADLINE_MS } = terms;
  const env = { ...locations.env, ...depthLimit.env };
  const names = new Map<string, string>();
  const { openIsolated } = await import('../runners/isolated/open-isolated.ts'); // needed only for projects
  const opened = await openIsolated(from, {
    services,
    cwd: locations.cwd,
    env,
    kept: foldersOf(locations).compiled,
    deadlineMs: loadMs,
    onStray(stray, name) {
      const hook = name === undefined ? undefined : names.get(name);
      terms.onStray({ file: module.file, text: strayErrorText(stray), ...(hook !== undefined && { hook }) });
    },
  });
  if (!opened.ok) return notLoaded(module, opened.breakage, { ...opened.problem, file: module.file });
  const isOurs = opened.definitions.length > 0;
  if (!isOurs) opened.close();
  else
    processes.set(module.file, {
      run: (index, args, limit) => opened.run(index, args[0] as Event, limit), // written by our dialect
      close: () => opened.close(),
    });
  const defined = opened.definitions.map((definition, index) =>
    hookFromDefinition(definition, definition.export, originOf(module, definition), {
      kind: 'isolated',
      file: module.file,
      index,
    }),
  );
  for (const [at, { hook }] of defined.entries()) names.set(opened.definitions[at]!.export, hook.id);
  // The module ran from the trusted copy; problems name the original file.
  const problems = opened.problems.map((problem) => ({ ...problem, file: module.file }));
  const own = joined(module, defined, opened.unsound, problems);
  if (terms.sdk === undefined || !opened.others.some(mayHoldCallbacks)) return own;
  const given = { cwd: locations.cwd, home: locations.home, env, services, deadlineMs: loadMs };
  const {
    key,
    opened: theirProcess,
    ...theirs
  } = await isolateCallbacks(module, from, {
    ...given,
    sdk: terms.sdk,
    loaders: terms.loaders,
    onStray: terms.onStray,
  });
  if (theirProcess !== undefined) processes.set(key, theirProcess);
  return withCallbacks(own, theirs);
}

type Fn = WayOf<'call'>['fn'];
function ownedFn(owner: ErrorOwner, fn: Fn, runOwned: RunOwned | undefined): Fn {
  if (runOwned === undefined) return fn;
  return function called(this: unknown, ...args: unknown[]) {
    return runOwned(owner, () => Reflect.apply(fn as (...given: unknown[]) => unknown, this, args));
  } as Fn;
}
const ownedHook = (hook: Hook, runOwned: RunOwned | undefined): Hook =>
  hook.run.kind === 'call'
    ? {
        ...hook,
        run: { ...hook.run, fn: ownedFn({ file: hook.origin.file, hook: hook.id }, hook.run.fn, runOwned) },
      }
    : hook;

interface Unsound {
  readonly export: string;
  readonly on: EventName;
  readonly name?: string;
  readonly why: HookFailure;
}
function joined(
  module: FoundModule,
  defined: readonly DefinedHook[],
  unsound: readonly Unsound[],
  problems: readonly Problem[],
): One {
  const broken = unsound.map(({ export: key, on, name, why }) =>
    missingOwnHook(on, name ?? `${module.file}#${key}`, originOf(module, {}), why),
  );
  return {
    hooks: [...defined.map(({ hook }) => hook), ...broken],
    problems: [...problems, ...defined.flatMap((one) => one.problems)],
  };
}

/** A module that cannot be loaded may have contained a guard, so every refusable call is refused until it is fixed. */
function notLoaded(module: FoundModule, why: HookFailure, problem: Problem): One {
  const origin = { layer: module.layer, file: module.file, line: problem.line ?? 1 };
  return { hooks: [missingOwnHook('tool.before', module.file, origin, why)], problems: [problem] };
}

const originOf = ({ layer, file }: FoundModule, { line = 1 }: { line?: number }) => ({ layer, file, line });

const copyOf = (from: string, file: string): Pick<Hook, 'copy'> =>
  from === file ? {} : { copy: { what: file, at: dirname(from), of: dirname(file) } };

/** The module ran from the trusted copy; the hook shows the original file. */
function withOwnPaths(hook: Hook, from: string, file: string): Hook {
  if (from === file) return hook;
  const { run } = hook;
  const copy = copyOf(from, file);
  if (run.kind !== 'missing' || run.why.detail === undefined) return { ...hook, ...copy };
  return { ...hook, run: { ...run, why: { ...run.why, detail: inOwnPaths(run.why.detail, copy) } } };
}
