/** Brings module files to life: the user's own in this process, a project's in a process of their own. */
import { dirname } from 'node:path';
import type { Dialect, Ground } from '../canon/dialect.ts';
import type { Event } from '../canon/event.ts';
import type { EventName } from '../canon/events.ts';
import type { Breakage, Limit, Reply } from '../canon/exchange.ts';
import { type Hook, inOwnPaths } from '../canon/hook.ts';
import type { Problem } from '../canon/problems.ts';
import type { Services } from '../canon/services.ts';
import { type Defined, hookFromDefinition, missingHook } from '../dialects/anyhook/definition.ts';
import { openIsolated } from '../runners/isolated/open-isolated.ts';
import { definitionsIn } from '../runners/module/definitions-in.ts';
import { LOAD_DEADLINE_MS, loadModule } from '../runners/module/load-module.mjs';
import type { FoundModule } from '../settings/module-files.ts';
import type { Gate } from './gate.ts';
import { isApart } from './guests/bring-guests.ts';
import type { Lineage } from './lineage.ts';
import { callbacksIn, isolateCallbacks, mayHoldCallbacks, withCallbacks } from './module-callbacks.ts';
import type { Isolate } from './options.ts';
import { runOf } from './program-hooks.ts';

export interface Brought {
  readonly hooks: readonly Hook[];
  readonly problems: readonly Problem[];
  /** The processes that were started, by the file each is for. */
  readonly cells: ReadonlyMap<string, Cell>;
}
export interface Cell {
  run(index: number, args: readonly unknown[], limit: Limit): Promise<Reply>;
  close(): void;
}
interface Terms {
  readonly gate: Gate | undefined;
  readonly services: Services;
  readonly ground: Ground;
  readonly lineage: Lineage;
  readonly isolate: Isolate;
  /** Reads what a module exports for the Claude Agent SDK; none: nobody does. */
  readonly sdk: Dialect | undefined;
}

export async function bringModules(modules: readonly FoundModule[], terms: Terms): Promise<Brought> {
  const cells = new Map<string, Cell>();
  const brought: One[] = [];
  for (const module of modules) brought.push(await bringOne(module, terms, cells));
  return {
    hooks: brought.flatMap(({ hooks }) => hooks),
    problems: brought.flatMap(({ problems }) => problems),
    cells,
  };
}

type One = Pick<Brought, 'hooks' | 'problems'>;

/** Of a project, from the bytes that were trusted. */
async function bringOne(module: FoundModule, terms: Terms, cells: Map<string, Cell>): Promise<One> {
  const { file, asker, line, layer } = module;
  const trusted = layer === 'project' ? terms.gate?.module(file, { file: asker, line }) : { file };
  if (trusted === undefined || 'kind' in trusted) return { hooks: [], problems: [] }; // the gate has said it
  const from = trusted.file;
  const brought = isApart(layer, terms.isolate)
    ? await isolate(module, from, terms, cells)
    : await bring(module, from, terms);
  return {
    hooks: brought.hooks.map((hook) => ({
      ...withOwnPaths(hook, from, file),
      ...(module.shadow && { shadow: true }),
    })),
    problems: brought.problems.map((problem) => ({
      ...problem,
      message: inOwnPaths(problem.message, copyOf(from, file)),
    })),
  };
}

async function bring(module: FoundModule, from: string, { sdk }: Terms): Promise<One> {
  const loaded = await loadModule(from);
  if (!loaded.ok) return notLoaded(module, loaded.breakage, { ...loaded.problem, file: module.file });
  const { definitions, unsound, others, problems } = definitionsIn(loaded.exports, module.file);
  const defined = definitions.map(({ export: key, definition }) =>
    hookFromDefinition(definition, key, originOf(module, definition), {
      kind: 'call',
      direct: true,
      fn: runOf(definition),
    }),
  );
  const own = joined(module, defined, unsound, problems);
  if (sdk === undefined || !others.some(mayHoldCallbacks)) return own;
  return withCallbacks(own, await callbacksIn(loaded.exports, module, from));
}

async function isolate(
  module: FoundModule,
  from: string,
  terms: Terms,
  cells: Map<string, Cell>,
): Promise<One> {
  const { services, ground, lineage } = terms;
  const env = { ...ground.env, ...lineage.env };
  const opened = await openIsolated(from, { services, cwd: ground.cwd, env });
  if (!opened.ok) return notLoaded(module, opened.breakage, { ...opened.problem, file: module.file });
  const isOurs = opened.definitions.length > 0;
  if (!isOurs) opened.close();
  else
    cells.set(module.file, {
      run: (index, args, limit) => opened.run(index, args[0] as Event, limit), // what our dialect writes
      close: () => opened.close(),
    });
  const defined = opened.definitions.map((definition, index) =>
    hookFromDefinition(definition, definition.export, originOf(module, definition), {
      kind: 'isolated',
      file: module.file,
      index,
    }),
  );
  // It ran from the trusted copy; people know it by the file they wrote.
  const problems = opened.problems.map((problem) => ({ ...problem, file: module.file }));
  const own = joined(module, defined, opened.unsound, problems);
  if (terms.sdk === undefined || !opened.others.some(mayHoldCallbacks)) return own;
  const given = { cwd: ground.cwd, home: ground.home, env, services, deadlineMs: LOAD_DEADLINE_MS };
  const { key, cell, ...theirs } = await isolateCallbacks(module, from, given, terms.sdk);
  if (cell !== undefined) cells.set(key, cell);
  return withCallbacks(own, theirs);
}

interface Unsound {
  readonly export: string;
  readonly on: EventName;
  readonly name?: string;
  readonly why: Breakage;
}
function joined(
  module: FoundModule,
  defined: readonly Defined[],
  unsound: readonly Unsound[],
  problems: readonly Problem[],
): One {
  const broken = unsound.map(({ export: key, on, name, why }) =>
    missingHook(on, name ?? `${module.file}#${key}`, originOf(module, {}), why),
  );
  return {
    hooks: [...defined.map(({ hook }) => hook), ...broken],
    problems: [...problems, ...defined.flatMap((one) => one.problems)],
  };
}

/** A module that cannot be loaded may have held a guard: what can be refused is refused until it is mended. */
function notLoaded(module: FoundModule, why: Breakage, problem: Problem): One {
  const origin = { layer: module.layer, file: module.file, line: problem.line ?? 1 };
  return { hooks: [missingHook('tool.before', module.file, origin, why)], problems: [problem] };
}

const originOf = ({ layer, file }: FoundModule, { line = 1 }: { line?: number }) => ({ layer, file, line });

const copyOf = (from: string, file: string): Pick<Hook, 'copy'> =>
  from === file ? {} : { copy: { what: file, at: dirname(from), of: dirname(file) } };

/** It ran from the trusted copy; people know it by the file they wrote. */
function withOwnPaths(hook: Hook, from: string, file: string): Hook {
  if (from === file) return hook;
  const { run } = hook;
  const copy = copyOf(from, file);
  if (run.kind !== 'missing' || run.why.detail === undefined) return { ...hook, ...copy };
  return { ...hook, run: { ...run, why: { ...run.why, detail: inOwnPaths(run.why.detail, copy) } } };
}
