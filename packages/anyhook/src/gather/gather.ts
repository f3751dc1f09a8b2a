/**
 * Collects everything that may run, from all sources and in execution order. Modules that are not needed are not
 * loaded.
 */

import { existsSync } from 'node:fs';
import { modulePlaces } from '../agents/anyhook/dialect/index.ts';
import type * as Sdk from '../agents/claude-agent-sdk/dialect/definition.ts';
import { isBridge } from '../agents/own-entries.ts';
import type { Dialect, Locations } from '../events/dialect.ts';
import type { CallRequest, Limit, Reply } from '../events/exchange.ts';
import { type Hook, LAYERS, type WayOf } from '../events/hook.ts';
import { NO_OFFERS, type Offers } from '../events/offers.ts';
import type { Problem } from '../events/problems.ts';
import { isReaderFailure } from '../events/safe-readers.ts';
import type { Services } from '../events/services.ts';
import type { ModuleLoaders } from '../modules/loader.ts';
import type { RunOwned } from '../runners/module/stray-errors.ts';
import type { DepthLimit } from '../runs/depth-limit.ts';
import { type LoadedSettings, loadSettings } from '../settings/load.ts';
import { withPolicyInForce } from '../settings/managed.ts';
import { nameServers, type NamedServers } from '../settings/mcp-servers.ts';
import { findModules, type FoundModule, type FoundModules } from '../settings/module-files.ts';
import type { Policy } from '../settings/policy.ts';
import { rootOf, trustedGuardsFile } from '../settings/trusted-guards.ts';
import { findForeignModules, type FoundForeignModules, inShadowOf } from './find-foreign.ts';
import type { Gate } from './gate.ts';
import type { LeftHooks } from './left-hooks.ts';
import type * as Foreign from './load-foreign.ts';
import { lostGuard, lostGuards } from './lost-guards.ts';
import type * as Modules from './module-hooks.ts';
import { type NamedModules, namedModules } from './named-modules.ts';
import type { OneLook } from './one-look.ts';
import type { Isolate, Options } from './options.ts';
import { organisationOf, type Organisation } from './organisation.ts';
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
  readonly trustedGuards: string;
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
  const found = findEverything(sources);
  const { organisation, loaded } = found;
  const byName = trustedByName(loaded.settings);
  const gate = asksForTrust(found)
    ? await sources.openGate([...byName.hashes, ...(organisation?.hashes ?? [])], organisation?.hashes)
    : undefined;
  const settled = await settledHooks(found, gate);
  const ownModules = await loadOwnModules(found, gate, sources);
  const foreign = await loadForeign(found, gate, sources);
  const program = await hooksOfProgram(sources.options);
  const hooks = [
    ...(organisation?.hooks ?? []),
    ...settled,
    ...loaded.unread.flatMap((unread) => lostGuards(unread, gate)),
    ...found.foreign.problems.filter(isReaderFailure).map((problem) => lostGuard('user', problem)),
    ...ownModules.hooks,
    ...foreign.hooks.map(inShadowOf(loaded.modules)),
    ...program.hooks,
  ];
  const watch = await standIns(hooks, gate?.examined ?? [], loaded.settings, sources);
  const inOrder = unique(
    LAYERS.flatMap((layer) => [...watch, ...hooks].filter(({ origin }) => origin.layer === layer)),
  );
  const enforced = organisation === undefined ? inOrder : inOrder.map(organisation.enforced);
  const switched = switchOff(enforced, loaded.settings, sources.options.limits?.only);
  return {
    hooks: switched.hooks,
    disabled: switched.disabled,
    policy: organisation?.policy,
    problems: [
      ...(organisation?.problems ?? []),
      ...loaded.problems,
      ...found.named.problems,
      ...found.own.problems,
      ...found.foreign.problems,
      ...ownModules.problems,
      ...foreign.problems,
      ...program.problems,
      ...byName.problems,
      ...(gate?.problems ?? []),
      ...switched.problems,
    ],
    offers: foreign.offers,
    settings: loaded.settings,
    modules: modulesIn(found),
    gate,
    runIsolated: isolatedRunner(ownModules, foreign),
    close: async () => {
      for (const own of ownModules.processes.values()) own.close();
      await foreign.close();
    },
  };
}

/** What the settings and the folders of modules contain, before trust is checked and code is loaded. */
interface Found {
  readonly locations: Locations;
  readonly organisation: Organisation | undefined;
  readonly loaded: LoadedSettings;
  /** Hooks of settings files, with the names of MCP servers resolved. */
  readonly named: NamedServers;
  /** Modules written for anyhook. */
  readonly own: FoundModules;
  /** Modules of other agents. */
  readonly foreign: FoundForeignModules;
}

function findEverything({ options, dialects, services, look, ...sources }: Sources): Found {
  const seen = { ...sources.locations, ...look.places };
  const locations = withPolicyInForce(seen);
  const layers = layersOf(options);
  const organisation = options.settings === false ? undefined : organisationOf(locations);
  const isCounted = organisation?.isCounted ?? (() => true);
  const all = loadSettings(dialects, locations, layers, wantedSettings(options).sources, look.project.read);
  const loaded = organisation?.counted(all) ?? all;
  const named = nameServers(
    loaded.hooks.filter((hook) => !isBridge(hook)),
    locations,
    { hasClient: services.tools?.call !== undefined },
  );
  const ours = dialects.find(({ name }) => name === 'anyhook')?.config.places(locations) ?? [];
  const inShadow = (path: string) =>
    loaded.settings.some(({ file, values }) => file === path && values['shadow'] === true);
  const folders = modulePlaces(locations)
    .filter(({ settings }) => ours.some(({ file }) => file === settings))
    .filter(({ layer }) => layers.includes(layer) && isCounted(layer, 'anyhook'))
    .map((place) => ({ ...place, ...(inShadow(place.settings) && { shadow: true as const }) }));
  const listed = loaded.modules.filter(({ dialect }) => dialect === 'anyhook');
  const given = namedModules(options.modules?.files ?? [], locations, dialects);
  return {
    locations,
    organisation,
    loaded,
    named,
    own: withNamed(findModules(folders, listed, locations.home), given),
    foreign: withNamedForeign(
      findForeignModules({ options, dialects, locations: seen }, loaded.modules, layers, isCounted),
      given,
    ),
  };
}

/** Passes the hooks of settings files through trust, except the user's own. */
async function settledHooks({ named, foreign, locations }: Found, gate: Gate | undefined): Promise<Hook[]> {
  const hooks = [...named.hooks, ...foreign.scripts];
  const isProjects = (hook: Hook) => hook.origin.layer === 'project' || named.borrowed.has(hook);
  const own = hooks.some((hook) => !isProjects(hook) && mayHoldCode(hook))
    ? (await import('../settings/own-command.ts')).withOwnModules
    : (hook: Hook) => hook;
  return hooks.map((hook) => (isProjects(hook) ? gate!.hook(hook) : own(hook, locations)));
}

/** What both kinds of modules are loaded with. */
function loadTerms(
  { loaded, locations }: Found,
  gate: Gate | undefined,
  { options, loaders, onStray }: Sources,
) {
  const { loadMs } = settingsOf(loaded.settings, options);
  const isolate: Isolate = options.modules?.isolate ?? 'foreign';
  return { gate, locations, loaders, onStray, isolate, ...(loadMs !== undefined && { loadMs }) };
}

async function loadOwnModules(
  found: Found,
  gate: Gate | undefined,
  sources: Sources,
): Promise<Modules.OwnModules> {
  const { modules } = found.own;
  const { options, dialects, services, depthLimit, runOwned } = sources;
  const { loadModules } = modules.length > 0 ? await import('./module-hooks.ts') : NO_MODULES;
  return loadModules(modules, {
    ...loadTerms(found, gate, sources),
    services,
    depthLimit,
    refuseImports: options.modules?.refuseImports ?? false,
    sdk: dialects.find(({ name }) => name === 'claude-agent-sdk'),
    runOwned,
  });
}

async function loadForeign(
  found: Found,
  gate: Gate | undefined,
  sources: Sources,
): Promise<Foreign.ForeignModules> {
  const { modules } = found.foreign;
  const { options, services, depthLimit, signal } = sources;
  const handlerMs = options.modules?.handlerMs;
  const { loadForeignModules } = modules.length > 0 ? await import('./load-foreign.ts') : NO_FOREIGN;
  return loadForeignModules(modules, {
    ...loadTerms(found, gate, sources),
    services: theirs(options.services ?? {}, services),
    env: { ...found.locations.env, ...depthLimit.env },
    ...(handlerMs !== undefined && { handlerMs }),
    ...(signal && { signal }),
  });
}

/** Hooks that the program itself passed. */
async function hooksOfProgram(options: Options) {
  const program = programHooks(options.hooks);
  const { hooksFromCallbacks } =
    program.sdk.length === 0 ? NO_SDK : await import('../agents/claude-agent-sdk/dialect/definition.ts');
  const sdk = program.sdk.map((callbacks) => hooksFromCallbacks(callbacks));
  return {
    hooks: [...program.hooks, ...sdk.flatMap(({ hooks }) => hooks)],
    problems: [...program.problems, ...sdk.flatMap(({ problems }) => problems)],
  };
}

const modulesIn = ({ own, foreign }: Found): readonly FoundModule[] => [
  ...own.modules,
  ...foreign.modules.map(({ file, layer, asker }) => ({ file, layer, asker: asker.file, line: asker.line })),
];

const isolatedRunner =
  ({ processes }: Modules.OwnModules, foreign: Foreign.ForeignModules): GatheredHooks['runIsolated'] =>
  async (way, { args }, limit) => {
    const reply = foreign.run(way.file, way.index, args, limit);
    if (reply !== undefined) return reply;
    const own = processes.get(way.file);
    if (own !== undefined) return own.run(way.index, args, limit);
    return { kind: 'broken', why: { kind: 'not-loaded', detail: `${way.file} is not open` } };
  };

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
  { options, dialects, locations, trustedGuards: stood, left }: Sources,
): Promise<readonly Hook[]> {
  const isClosed = ownersWord(settings, 'untrusted').includes('refuse');
  const root = rootOf(locations.cwd);
  const file = trustedGuardsFile(stood, root);
  if (examined.length === 0 && !existsSync(file)) return [];
  const { refusalUntilTrusted: closedUntilTrusted, missedGuards } = await import('./missed-guards.ts');
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

function asksForTrust({ loaded, named, own, foreign }: Found): boolean {
  const layers = [
    ...loaded.hooks.map(({ origin }) => origin.layer),
    ...own.modules.map(({ layer }) => layer),
    ...foreign.modules.map(({ layer }) => layer),
    ...foreign.scripts.map(({ origin }) => origin.layer),
  ];
  return (
    named.borrowed.size > 0 ||
    layers.includes('project') ||
    loaded.unread.some(
      ({ place, dialect, problem }) =>
        place.layer === 'project' && (dialect === 'anyhook' || isReaderFailure(problem)),
    )
  );
}
