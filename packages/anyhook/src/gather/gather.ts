/**
 * Collects everything that may run, from all sources and in execution order. Modules that are not needed are not
 * loaded.
 */
import { existsSync } from 'node:fs';
import type { Dialect, Locations } from '../events/dialect.ts';
import type { CallRequest, Limit, Reply } from '../events/exchange.ts';
import { type Hook, type Layer, LAYERS, type WayOf } from '../events/hook.ts';
import { NO_OFFERS, type Offers } from '../events/offers.ts';
import type { Problem } from '../events/problems.ts';
import type { Services } from '../events/services.ts';
import { modulePlaces } from '../agents/anyhook/dialect/index.ts';
import type * as Sdk from '../agents/claude-agent-sdk/dialect/definition.ts';
import type { RunOwned } from '../runners/module/stray-errors.ts';
import { type LoadedSettings, loadSettings } from '../settings/load.ts';
import { nameServers } from '../settings/mcp-servers.ts';
import { rootOf, stoodFile } from '../settings/stood.ts';
import { isReaderFailure } from '../events/safe-readers.ts';
import { findModules, type FoundModule, type FoundModules } from '../settings/module-files.ts';
import { findForeignModules, type FoundForeignModules, inShadowOf } from './find-foreign.ts';
import type * as Foreign from './load-foreign.ts';
import type { ModuleLoaders } from '../modules/loader.ts';
import { isBridge } from '../agents/own-entries.ts';
import type { Gate } from './gate.ts';
import { lostGuard, lostGuards } from './lost-guards.ts';
import type { DepthLimit } from '../runs/depth-limit.ts';
import type * as Modules from './module-hooks.ts';
import type { LeftHooks } from './left-hooks.ts';
import { type NamedModules, namedModules } from './named-modules.ts';
import { withPolicyInForce } from '../settings/managed.ts';
import { organisationOf } from './organisation.ts';
import type { Policy } from '../settings/policy.ts';
import type { OneLook } from './one-look.ts';
import type { Options } from './options.ts';
import { programHooks } from './program-hooks.ts';
import { layersOf, settingsOf, wantedSettings } from './settings-of.ts';
import { switchOff } from './switched-off.ts';
import { trustedByName } from './trusted-by-name.ts';
import { unique } from './unique.ts';

export interface GatheredHooks {
  readonly hooks: readonly Hook[];
  /** Hooks that the user switched off. */
  readonly disabled: readonly Hook[];
  readonly problems: readonly Problem[];
  readonly offers: Offers;
  readonly settings: LoadedSettings['settings'];
  readonly modules: readonly FoundModule[];
  /** The policy of the organisation that manages this machine. */
  readonly policy: Policy | undefined;
  /** Undefined if the project has no entries. */
  readonly gate: Gate | undefined;
  readonly runIsolated: (way: WayOf<'isolated'>, request: CallRequest, limit: Limit) => Promise<Reply>;
  close(): Promise<void>;
}
export interface Sources {
  readonly options: Options;
  readonly dialects: readonly Dialect[];
  readonly locations: Locations;
  /** Disk lookups cached for this opening. */
  readonly look: OneLook;
  readonly left: LeftHooks;
  readonly services: Services;
  readonly depthLimit: DepthLimit;
  /** `hashes` are the hashes trusted in the user's own settings. */
  readonly openGate: (hashes: readonly string[], listed?: ReadonlySet<string>) => Promise<Gate>;
  /** Folder with the trusted guards of this project. */
  readonly stood: string;
  /** Loaders for modules of other agents, by dialect. */
  readonly loaders: ModuleLoaders;
  /** Called for errors that a module throws outside of a call. */
  readonly onStray: Foreign.OnStrayError;
  /** Runs module code in this process, so that errors can be attributed to the module. */
  readonly runOwned?: RunOwned;
  /** Aborts pending loads. */
  readonly signal?: AbortSignal;
}

export async function gather(sources: Sources): Promise<GatheredHooks> {
  const { options, dialects, services, depthLimit, openGate, loaders, onStray } = sources;
  const seen = { ...sources.locations, ...sources.look.places };
  const locations = withPolicyInForce(seen);
  const layers = layersOf(options);
  const { sources: further } = wantedSettings(options);
  const organisation = options.settings === false ? undefined : organisationOf(locations);
  const isCounted = organisation?.isCounted ?? (() => true);
  const modules = options.modules ?? {};
  const ours = dialects.find(({ name }) => name === 'anyhook')?.config.places(locations) ?? [];
  const all = loadSettings(dialects, locations, layers, further, sources.look.project.read);
  const loaded = organisation?.counted(all) ?? all;
  const named = nameServers(
    loaded.hooks.filter((hook) => !isBridge(hook)),
    locations,
    { hasClient: services.tools?.call !== undefined },
  );
  const inShadow = (file: string) =>
    loaded.settings.some((one) => one.file === file && one.values['shadow'] === true);
  const folders = modulePlaces(locations)
    .filter(({ settings }) => ours.some(({ file }) => file === settings))
    .filter(({ layer }) => layers.includes(layer) && isCounted(layer, 'anyhook'))
    .map((place) => ({ ...place, ...(inShadow(place.settings) && { shadow: true as const }) }));
  const listed = loaded.modules.filter(({ dialect }) => dialect === 'anyhook');
  const said = namedModules(modules.files ?? [], locations, dialects);
  const found = withNamed(findModules(folders, listed, locations.home), said);
  const code = withNamedForeign(
    findForeignModules({ options, dialects, locations: seen }, loaded.modules, layers, isCounted),
    said,
  );
  const asked = [...named.hooks, ...code.scripts];
  const needsGate =
    named.borrowed.size > 0 ||
    asksForTrust(loaded, [...found.modules, ...code.modules, ...code.scripts.map(({ origin }) => origin)]);
  const byName = trustedByName(loaded.settings);
  const gate = needsGate
    ? await openGate([...byName.hashes, ...(organisation?.hashes ?? [])], organisation?.hashes)
    : undefined;
  const isProjects = (hook: Hook) => hook.origin.layer === 'project' || named.borrowed.has(hook);
  const own = asked.some((hook) => !isProjects(hook) && mayHoldCode(hook))
    ? (await import('../settings/own-command.ts')).withOwnModules
    : (hook: Hook) => hook;
  const settled = asked.map((hook) => (isProjects(hook) ? gate!.hook(hook) : own(hook, locations)));
  const isolate = modules.isolate ?? 'foreign';
  const { loadMs } = settingsOf(loaded.settings, options);
  const { loadModules } = found.modules.length > 0 ? await import('./module-hooks.ts') : NO_MODULES;
  const reads = dialects.find(({ name }) => name === 'claude-agent-sdk');
  const ownModules = await loadModules(found.modules, {
    gate,
    services,
    locations,
    depthLimit,
    isolate,
    refuseImports: modules.refuseImports ?? false,
    loaders,
    onStray,
    sdk: reads,
    runOwned: sources.runOwned,
    ...(loadMs !== undefined && { loadMs }),
  });
  const { loadForeignModules } = code.modules.length > 0 ? await import('./load-foreign.ts') : NO_FOREIGN;
  const foreign = await loadForeignModules(code.modules, {
    gate,
    services: theirs(options.services ?? {}, services),
    locations,
    env: { ...locations.env, ...depthLimit.env },
    isolate,
    loaders,
    onStray,
    ...(loadMs !== undefined && { loadMs }),
    ...(modules.handlerMs !== undefined && { handlerMs: modules.handlerMs }),
    ...(sources.signal && { signal: sources.signal }),
  });
  const program = programHooks(options.hooks);
  const { hooksFromCallbacks: hooksFrom } =
    program.sdk.length === 0 ? NO_SDK : await import('../agents/claude-agent-sdk/dialect/definition.ts');
  const sdk = program.sdk.map((callbacks) => hooksFrom(callbacks));
  const lost = [
    ...loaded.unread.flatMap((unread) => lostGuards(unread, gate)),
    ...code.problems.filter(isReaderFailure).map((problem) => lostGuard('user', problem)),
  ];
  const hooks = [
    ...(organisation?.hooks ?? []),
    ...settled,
    ...lost,
    ...ownModules.hooks,
    ...foreign.hooks.map(inShadowOf(loaded.modules)),
    ...program.hooks,
    ...sdk.flatMap((one) => one.hooks),
  ];
  const watch = await standIns(hooks, gate?.examined ?? [], loaded.settings, sources);
  const inOrder = unique(
    LAYERS.flatMap((layer) => [...watch, ...hooks].filter(({ origin }) => origin.layer === layer)),
  );
  const enforced = organisation === undefined ? inOrder : inOrder.map(organisation.enforced);
  const switched = switchOff(enforced, loaded.settings, options.limits?.only);
  return {
    hooks: switched.hooks,
    disabled: switched.disabled,
    policy: organisation?.policy,
    problems: [
      ...(organisation?.problems ?? []),
      ...loaded.problems,
      ...named.problems,
      ...found.problems,
      ...code.problems,
      ...ownModules.problems,
      ...foreign.problems,
      ...program.problems,
      ...sdk.flatMap((one) => one.problems),
      ...byName.problems,
      ...(gate?.problems ?? []),
      ...switched.problems,
    ],
    offers: foreign.offers,
    settings: loaded.settings,
    modules: [
      ...found.modules,
      ...code.modules.map(({ file, layer, asker }) => ({ file, layer, asker: asker.file, line: asker.line })),
    ],
    gate,
    runIsolated: async (way, { args }, limit) => {
      const reply = foreign.run(way.file, way.index, args, limit);
      if (reply !== undefined) return reply;
      const own = ownModules.processes.get(way.file);
      if (own !== undefined) return own.run(way.index, args, limit);
      return { kind: 'broken', why: { kind: 'not-loaded', detail: `${way.file} is not open` } };
    },
    close: async () => {
      for (const own of ownModules.processes.values()) own.close();
      await foreign.close();
    },
  };
}

/** Whether the command passes code to an interpreter that resolves modules from the working folder. */
const mayHoldCode = ({ run }: Hook): boolean =>
  run.kind === 'command' &&
  /(?:python|pypy|node)[\w.]*\s(?:[^]*\s)?(?:-\w*[cemp]|--eval|--print|-?\s*<<)/.test(
    'line' in run.run ? run.run.line : run.run.argv.join(' '),
  );

/** Reads a setting only from files that a project cannot write. */
const ownersWord = <T>(settings: LoadedSettings['settings'], key: string): readonly T[] =>
  settings
    .filter(({ layer }) => layer === 'user' || layer === 'managed')
    .flatMap(({ values }) => (values[key] ?? []) as T | T[]);

/** Creates hooks that replace missing guards: trusted guards that have disappeared, and guards that wait for trust. */
async function standIns(
  hooks: readonly Hook[],
  examined: Gate['examined'],
  settings: LoadedSettings['settings'],
  { options, dialects, locations, stood, left }: Sources,
): Promise<readonly Hook[]> {
  const isClosed = ownersWord(settings, 'untrusted').includes('refuse');
  const root = rootOf(locations.cwd);
  const file = stoodFile(stood, root);
  if (examined.length === 0 && !existsSync(file)) return [];
  const { closedUntilTrusted, missedGuards } = await import('./standing.ts');
  const passing = options.trust?.hashes ?? [];
  return [
    ...missedGuards(hooks, examined, { file, root, dialects, passing, left }),
    ...(isClosed ? closedUntilTrusted(examined) : []),
  ];
}

const NO_MODULES: Pick<typeof Modules, 'loadModules'> = {
  loadModules: async () => ({ hooks: [], problems: [], processes: new Map() }),
};

/** A module that is both found in its folder and named explicitly counts once, as found. */
const withNamed = (found: FoundModules, { ours }: NamedModules): FoundModules => ({
  ...found,
  modules: [...found.modules, ...ours.filter((one) => !found.modules.some(({ file }) => file === one.file))],
});
const withNamedForeign = (found: FoundForeignModules, { foreign }: NamedModules): FoundForeignModules => ({
  ...found,
  modules: [
    ...found.modules,
    ...foreign.filter((one) => !found.modules.some(({ file }) => file === one.file)),
  ],
});

/**
 * Passes on only the services that the host really has, because modules check whether a user interface is available.
 */
const theirs = (given: Services, { log, exec, permit }: Services): Services => ({
  ...given,
  ...(log && { log }),
  ...(exec && { exec }),
  ...(permit && { permit }),
});

const NO_FOREIGN: Pick<typeof Foreign, 'loadForeignModules'> = {
  loadForeignModules: async () => ({
    hooks: [],
    offers: NO_OFFERS,
    problems: [],
    run: () => undefined,
    close: async () => {},
  }),
};

const NO_SDK: Pick<typeof Sdk, 'hooksFromCallbacks'> = {
  hooksFromCallbacks: () => ({ hooks: [], problems: [] }),
};

const asksForTrust = (
  { hooks, unread }: LoadedSettings,
  modules: readonly { readonly layer: Layer }[],
): boolean =>
  hooks.some(({ origin }) => origin.layer === 'project') ||
  modules.some(({ layer }) => layer === 'project') ||
  unread.some(
    ({ place, dialect, problem }) =>
      place.layer === 'project' && (dialect === 'anyhook' || isReaderFailure(problem)),
  );
