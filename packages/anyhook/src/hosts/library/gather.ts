/** Everything that may run, from every source, in the order in which it would. */
import type { Dialect, Ground } from '../../canon/dialect.ts';
import type { Definition } from '../../canon/define.ts';
import { EVENT_NAMES } from '../../canon/events.ts';
import type { CallRequest, Limit, Reply } from '../../canon/exchange.ts';
import { type Hook, LAYERS, type WayOf } from '../../canon/hook.ts';
import type { Event } from '../../canon/event.ts';
import type { Problem } from '../../canon/problems.ts';
import type { Services } from '../../canon/services.ts';
import { hookFromDefinition, missingHook } from '../../dialects/anyhook/definition.ts';
import { modulePlaces } from '../../dialects/anyhook/index.ts';
import { type Isolated, openIsolated } from '../../runners/isolated/open-isolated.ts';
import { definitionsIn } from '../../runners/module/definitions-in.ts';
import { loadModule } from '../../runners/module/load-module.mjs';
import { type Loaded, loadSettings } from '../../settings/load.ts';
import { findModules, type FoundModule } from '../../settings/module-files.ts';
import type { Callbacks, Options } from './options.ts';
import type { Gate } from './trusted.ts';

export interface Gathered {
  readonly hooks: readonly Hook[];
  readonly problems: readonly Problem[];
  readonly settings: Loaded['settings'];
  readonly runIsolated: (way: WayOf<'isolated'>, request: CallRequest, limit: Limit) => Promise<Reply>;
  close(): void;
}

export async function gather(
  options: Options,
  dialects: readonly Dialect[],
  ground: Ground,
  gate: Gate,
  services: Services,
): Promise<Gathered> {
  const layers = options.settings === false ? [] : (options.settings?.layers ?? LAYERS);
  const loaded = loadSettings(dialects, ground, layers, options.sources);
  const folders = modulePlaces(ground).filter(({ layer }) => layers.includes(layer));
  const found = findModules(dialects.some(({ name }) => name === 'anyhook') ? folders : [], loaded.modules);
  const cells = new Map<string, Isolated>();
  const problems: Problem[] = [...loaded.problems, ...found.problems];
  const settled = loaded.hooks.map((hook) => (hook.origin.layer === 'project' ? gate.hook(hook) : hook));
  const modules: Hook[] = [];
  for (const module of found.modules) {
    const brought =
      module.layer === 'project' ? await isolate(module, gate, services, ground, cells) : await bring(module);
    modules.push(...brought.hooks);
    problems.push(...brought.problems);
  }
  const own = [...definedIn(options.hooks ?? []), ...callbacksOf(options.callbacks ?? {})];
  problems.push(...own.flatMap((defined) => defined.problems), ...gate.problems);
  const hooks = [...settled, ...modules, ...own.map(({ hook }) => hook)];
  return {
    hooks: unique(hooks.toSorted((a, b) => LAYERS.indexOf(a.origin.layer) - LAYERS.indexOf(b.origin.layer))),
    problems,
    settings: loaded.settings,
    runIsolated: async (way, { args }, limit) => {
      const cell = cells.get(way.file);
      if (cell !== undefined) return cell.run(way.index, args[0] as Event, limit);
      return { kind: 'broken', why: { kind: 'not-loaded', detail: `${way.file} is not open` } };
    },
    close: () => {
      for (const cell of cells.values()) cell.close();
    },
  };
}

interface Brought {
  readonly hooks: readonly Hook[];
  readonly problems: readonly Problem[];
}

/** The user's own modules run in this process. */
async function bring(module: FoundModule): Promise<Brought> {
  const loaded = await loadModule(module.file);
  if (!loaded.ok) return notLoaded(module, loaded.breakage, loaded.problem);
  const { definitions, unsound, problems } = definitionsIn(loaded.exports, module.file);
  const defined = definitions.map(({ export: key, definition }) =>
    hookFromDefinition(definition, key, originOf(module, definition), {
      kind: 'call',
      direct: true,
      fn: runOf(definition),
    }),
  );
  return joined(module, defined, unsound, problems);
}

/** A project's modules run in a process of their own, from the bytes that were trusted. */
async function isolate(
  module: FoundModule,
  gate: Gate,
  services: Services,
  ground: Ground,
  cells: Map<string, Isolated>,
): Promise<Brought> {
  const trusted = gate.module(module.file, { file: module.asker, line: module.line });
  if ('kind' in trusted) return { hooks: [], problems: [] }; // the gate has said it
  const opened = await openIsolated(trusted.file, { services, cwd: ground.cwd });
  if (!opened.ok) return notLoaded(module, opened.breakage, { ...opened.problem, file: module.file });
  cells.set(module.file, opened);
  const defined = opened.definitions.map((definition, index) =>
    hookFromDefinition(definition, definition.export, originOf(module, definition), {
      kind: 'isolated',
      file: module.file,
      index,
    }),
  );
  // It ran from the trusted copy; people know it by the file they wrote.
  const problems = opened.problems.map((problem) => ({ ...problem, file: module.file }));
  return joined(module, defined, opened.unsound, problems);
}

function joined(
  module: FoundModule,
  defined: readonly ReturnType<typeof hookFromDefinition>[],
  unsound: readonly {
    export: string;
    on: (typeof EVENT_NAMES)[number];
    name?: string;
    why: Parameters<typeof missingHook>[3];
  }[],
  problems: readonly Problem[],
): Brought {
  const broken = unsound.map(({ export: key, on, name, why }) =>
    missingHook(
      on,
      name ?? `${module.file}#${key}`,
      { layer: module.layer, file: module.file, line: 1 },
      why,
    ),
  );
  return {
    hooks: [...defined.map(({ hook }) => hook), ...broken],
    problems: [...problems, ...defined.flatMap((one) => one.problems)],
  };
}

/** A module that cannot be loaded may have held a guard: what can be refused is refused until it is mended. */
function notLoaded(module: FoundModule, why: Parameters<typeof missingHook>[3], problem: Problem): Brought {
  const origin = { layer: module.layer, file: module.file, line: problem.line ?? 1 };
  return { hooks: [missingHook('tool.before', module.file, origin, why)], problems: [problem] };
}

const originOf = ({ layer, file }: FoundModule, { line = 1 }: { line?: number }) => ({ layer, file, line });
const runOf = (definition: Definition) => definition.run.bind(definition) as unknown as WayOf<'call'>['fn'];

const PROGRAM = '(program)';

function definedIn(definitions: readonly Definition[]) {
  return definitions.map((definition, index) =>
    hookFromDefinition(
      definition,
      `hooks[${index}]`,
      { layer: 'session', file: PROGRAM, line: definition.line ?? index + 1 },
      { kind: 'call', direct: true, fn: runOf(definition) },
    ),
  );
}

function callbacksOf(callbacks: Callbacks) {
  return EVENT_NAMES.flatMap((on) => {
    const said = callbacks[on] as
      | ((event: never) => unknown)
      | readonly ((event: never) => unknown)[]
      | undefined;
    const list = said === undefined ? [] : typeof said === 'function' ? [said] : said;
    return list.map((fn, index) =>
      hookFromDefinition(
        { on },
        `callbacks.${on}[${index}]`,
        { layer: 'session', file: PROGRAM, line: index + 1 },
        { kind: 'call', direct: true, fn },
      ),
    );
  });
}

/** Two hooks may carry one name; records must still tell them apart. */
function unique(hooks: readonly Hook[]): Hook[] {
  const seen = new Map<string, number>();
  return hooks.map((hook) => {
    const count = (seen.get(hook.id) ?? 0) + 1;
    seen.set(hook.id, count);
    return count === 1 ? hook : { ...hook, id: `${hook.id} (${count})` };
  });
}
