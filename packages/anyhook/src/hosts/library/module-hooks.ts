/** Brings module files to life: the user's own in this process, a project's in a process of their own. */
import { readFileSync } from 'node:fs';
import type { Dialect, Ground } from '../../canon/dialect.ts';
import type { Event } from '../../canon/event.ts';
import type { EventName } from '../../canon/events.ts';
import type { Breakage, Limit, Reply } from '../../canon/exchange.ts';
import type { Hook } from '../../canon/hook.ts';
import type { Problem } from '../../canon/problems.ts';
import type { Services } from '../../canon/services.ts';
import { type Defined, hookFromDefinition, missingHook } from '../../dialects/anyhook/definition.ts';
import { openIsolated } from '../../runners/isolated/open-isolated.ts';
import { definitionsIn, type Stranger } from '../../runners/module/definitions-in.ts';
import { LOAD_DEADLINE_MS, loadModule } from '../../runners/module/load-module.mjs';
import type { FoundModule } from '../../settings/module-files.ts';
import type { Gate } from './gate.ts';
import { isApart } from './guests.ts';
import type { Lineage } from './lineage.ts';
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
  return isApart(layer, terms.isolate)
    ? await isolate(module, from, terms, cells)
    : await bring(module, from, terms);
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
  const { hooksIn } = await import('../claude-agent-sdk/exported.ts');
  const { file, layer } = module;
  return withCallbacks(
    own,
    hooksIn(loaded.exports, { layer, shown: file, source: readFileSync(from, 'utf8') }),
  );
}

const mayHoldCallbacks = ({ is }: Stranger): boolean => is === 'object';

/** "It defines no hook" is true of our own only. */
const withCallbacks = (own: One, theirs: One): One =>
  theirs.hooks.length === 0 && theirs.problems.length === 0
    ? own
    : {
        hooks: [...own.hooks, ...theirs.hooks],
        problems: [...own.problems.filter(({ code }) => code !== 'not-loaded'), ...theirs.problems],
      };

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
  return opened.others.some(mayHoldCallbacks)
    ? withCallbacks(own, await isolateCallbacks(module, from, terms, cells))
    : own;
}

/** In a second process: one speaks our words, the other the SDK's. */
async function isolateCallbacks(
  { file, layer, asker, line }: FoundModule,
  from: string,
  { sdk, services, ground, lineage }: Terms,
  cells: Map<string, Cell>,
): Promise<One> {
  if (sdk === undefined) return NOTHING;
  const { isolateGuest } = await import('./guest-isolate.ts');
  const { rematched } = await import('../../dialects/claude-agent-sdk/definition.ts');
  const key = `${file}#${sdk.name}`;
  const guest = { file: from, shown: file, layer, asker: { file: asker, line } };
  const env = { ...ground.env, ...lineage.env };
  const { cwd, home } = ground;
  const given = { cwd, home, env, services, deadlineMs: LOAD_DEADLINE_MS };
  const { hooks, problems, opened } = await isolateGuest(sdk, guest, given, key);
  if (opened !== undefined && hooks.length > 0) cells.set(key, opened);
  else opened?.close();
  return { hooks: hooks.map(rematched), problems };
}
const NOTHING: One = { hooks: [], problems: [] };

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
