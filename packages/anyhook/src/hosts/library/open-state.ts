/** Opens everything that a program's hooks need: settings, engine, journal, self-protection. */
import { agentOf } from '../../agents/index.ts';
import { lacksOf } from '../../canon/capabilities.ts';
import type { Dialect, Locations } from '../../canon/dialect.ts';
import { deny } from '../../canon/effects.ts';
import type { Event, EventInput } from '../../canon/event.ts';
import { type Hook, isOrganisations } from '../../canon/hook.ts';
import { makeLexicon } from '../../canon/lexicon.ts';
import { traceHeadersIn } from '../../canon/trace.ts';
import type { Problem } from '../../canon/problems.ts';
import type { Services } from '../../canon/services.ts';
import { type Engine, makeEngine } from '../../engine/engine.ts';
import type { Parts } from '../../engine/parts.ts';
import { dialectsNamed, toolColumns } from '../../assemble.ts';
import { builtIn } from '../../assembly/built-in.ts';
import type { BoundNow } from './changed-guards.ts';
import type { Commands } from '../../assembly/commands.ts';
import { homeProblem, type Folders } from '../../assembly/folders.ts';
import { gather, type GatheredHooks } from '../../assembly/gather.ts';
import { unique } from '../../assembly/unique.ts';
import type { OnStrayError } from '../../assembly/load-foreign.ts';
import type { DepthLimit } from '../../assembly/depth-limit.ts';
import { makeAfterwards } from './afterwards.ts';
import type * as LongTexts from './long-texts.ts';
import type { McpTools } from '../../assembly/mcp-tools.ts';
import { dialectsRead } from './dialects-read.ts';
import { isInAgent, selfProtectionFor, sideRoutesFor, withChangedGuards } from './own-guards.ts';
import { makeEventOf } from './event-of.ts';
import { hooksLeft } from './left-files.ts';
import { knownOrigin } from './known-origin.ts';
import { namedMcpServers } from '../../assembly/named-mcp-servers.ts';
import { type MovedFolder, movedInto, movedProblem } from '../../assembly/moved.ts';
import type { OneLook } from '../../assembly/one-look.ts';
import type { Options } from '../../assembly/options.ts';
import type { KnownOrigin } from '../../journal/index.ts';
import type { Records } from './records.ts';
import { makeRun } from '../../assembly/runs.ts';
import type { RunOwned } from '../../runners/module/stray-errors.ts';
import { settingsOf, wantedSettings, type EngineSettings } from '../../assembly/settings-of.ts';
import { askedInVain, unknownApprovers } from '../../assembly/switched-off.ts';
import { type GuardSources, namedStrengths, type Strengths } from './strength.ts';
import { LOADERS } from '../../surfaces/loaders.ts';

/** What one reading of all settings came to. Frozen: what changes on disk counts from the next reading. */
export interface Reading {
  readonly gathered: GatheredHooks;
  readonly problems: readonly Problem[];
  /** Ids of the hooks whose `allow` answers a question of another hook. */
  readonly approvers: readonly string[];
  readonly eventOf: (input: EventInput) => Event;
  /** With the hooks that the program has added by now. */
  settled(): State;
  readonly guardSources: GuardSources;
  /** What its guards are made of, as it was when this was first asked for. */
  readonly strengths: () => Strengths;
  close(): Promise<void>;
}
/** Every hook that counts at the moment, and the engine that asks them. */
export interface State {
  readonly engine: Engine;
  /** The person switched hooks off for a while: the agent still must not make that for good. */
  readonly whilePaused: () => Engine;
  readonly hooks: readonly Hook[];
  readonly records: Records | undefined;
  readonly shorten: LongTexts.Shorten;
  /** Journal and self-protection are on their way, as these are the first hooks: nothing is fired before they are there. */
  readonly loading: Promise<void> | undefined;
}
export interface Means {
  readonly options: Options;
  /** Hooks that came by `hooks.on`, in that order. */
  readonly added: ReadonlySet<Hook>;
  /** The project whose hooks count. */
  readonly locations: Required<Locations>;
  /** Where the program is: in the project, or below it. */
  readonly cwd: string;
  readonly folders: Folders;
  readonly commands: Commands;
  readonly mcp: McpTools;
  readonly services: Services;
  readonly depthLimit: DepthLimit;
  readonly boundNow: BoundNow;
  readonly onLate: NonNullable<Parts['onLate']>;
  readonly onStray: OnStrayError;
  readonly runOwned?: RunOwned;
  /** Ends what is still being loaded. */
  readonly signal?: AbortSignal;
}

/** Until the part that shortens long texts is loaded, which needs a text to shorten. */
const asItIs: LongTexts.Shorten = (ruling) => ruling;

export async function openState(means: Means, look: OneLook): Promise<Reading> {
  const { options, added, locations, folders, commands, mcp, services, depthLimit } = means;
  const { limits = {}, watch = {} } = options;
  const asked = wantedSettings(options);
  const known = dialectsNamed(asked.dialects);
  const openGate = async (hashes: readonly string[], listed?: ReadonlySet<string>) =>
    (await import('../../assembly/trusted.ts')).openGate(
      locations,
      folders,
      { ...options.trust, hashes: [...hashes, ...(options.trust?.hashes ?? [])] },
      halfTime(limits.until),
      listed,
    );
  const left = hooksLeft(asked.without, locations);
  const gathered = await gather({
    options,
    dialects: dialectsRead(known.dialects, asked.without, agentOf(options.host.name)?.neverFires),
    locations,
    look,
    left,
    services,
    depthLimit,
    openGate,
    stood: folders.stood,
    loaders: LOADERS,
    onStray: means.onStray,
    ...(means.runOwned && { runOwned: means.runOwned }),
    ...(means.signal && { signal: means.signal }),
  });
  const wanted = settingsOf(gathered.settings, options);
  const { dialects, problems } = inOrder(known.dialects, wanted.order);
  const moved = movedFor(options, locations);
  const homeless = homeProblem(locations);
  if (gathered.hooks.some(({ run }) => run.kind === 'command')) await commands.ready();
  const lexicon = lexiconOf(dialects, options.host, locations);
  const parts: Omit<Parts, 'hooks'> = {
    dialects: [...new Set([...dialects, ...dialectsNamed(spokenBy(gathered.hooks)).dialects])],
    run: makeRun({
      commands: commands.now,
      services,
      depthLimit,
      afterwards: makeAfterwards({
        journal: wanted.journal,
        folders,
        host: options.host,
        env: locations.env,
        origin: knownOrigin(gathered),
      }),
      isolated: gathered.runIsolated,
      mcp: mcp.ready,
      env: locations.env,
      isGated: true,
      changed: (hook) => gathered.gate?.changed(hook) ?? [],
      ...(options.signal && { signal: options.signal }),
    }),
    services,
    spellings: lexicon.spellings,
    mcpTools: lexicon.mcpTools,
    lacks: lacksOf(options.host.can),
    shadow: wanted.shadow,
    ...(options.modules?.seedStrict === true && { seedStrict: true }),
    ...(limits.budgetMs !== undefined && { budgetMs: limits.budgetMs }),
    ...(limits.until !== undefined && { until: limits.until }),
    ...(watch.onStart && { onStart: watch.onStart }),
    ...(watch.onEnd && { onEnd: watch.onEnd }),
    onLate: means.onLate,
  };
  /** For the records: also what was taken away since, which may still answer in the background. */
  const byId = new Map<string, Hook>();
  let own: readonly Hook[] = [];
  let records: Records | undefined;
  let loading: Promise<void> | undefined;
  let longTexts: typeof LongTexts | undefined;
  let isLoaded = false;
  const guardSources: GuardSources = { hooks: gathered.hooks, left, locations };
  let strengths: Strengths | undefined;
  /** While hooks are paused, those in `own` stay as they are. */
  let watching: readonly Hook[] = [];
  async function load(): Promise<void> {
    own = [
      ...(await selfProtectionFor(means, { gathered, left, settings: wanted, dialects: known.dialects })),
      ...(await sideRoutesFor(means, [...gathered.hooks, ...left.hooks])),
    ];
    watching = await withChangedGuards(means, own, { sources: guardSources, inAgent });
    records = await recordsOf(means, wanted, knownOrigin(gathered), (id) => byId.get(id));
    longTexts = await import('./long-texts.ts');
    isLoaded = true;
  }
  const inAgent = isInAgent(means);
  const isAnyHook = () => inAgent || gathered.hooks.length + added.size + moved.length > 0;
  if (isAnyHook()) await (loading = load());
  return {
    gathered,
    problems: [
      ...known.problems,
      ...dialectsNamed(asked.without?.map((one) => one.split('@')[0]!)).problems,
      ...problems,
      ...moved.map(movedProblem),
      ...(homeless === undefined ? [] : [homeless]),
      ...gathered.problems,
      ...(limits.only === undefined ? [] : askedInVain(limits.only, [...own, ...gathered.hooks, ...added])),
      ...unknownApprovers(wanted.approvers, [...gathered.hooks, ...gathered.disabled]),
    ],
    approvers: wanted.approvers,
    eventOf: makeEventOf({ cwd: means.cwd, lexicon, trace: traceHeadersIn(locations.env) }),
    settled() {
      const asked = limits.lost === undefined ? gathered.hooks : gathered.hooks.map(lostTo(limits.lost));
      const hooks = unique([...moved.map(refusesMoved), ...watching, ...asked, ...added]).filter(
        ({ id }) => limits.only?.includes(id) ?? true,
      );
      if (records !== undefined) for (const hook of hooks) byId.set(hook.id, hook);
      let whilePaused: Engine | undefined;
      return {
        engine: makeEngine({ ...parts, hooks }),
        whilePaused: () =>
          (whilePaused ??= makeEngine({ ...parts, hooks: [...own, ...asked.filter(isOrganisations)] })),
        hooks,
        records,
        shorten: longTexts?.makeShorten(hooks, dialects, folders.texts, locations.env) ?? asItIs,
        loading: isLoaded || !isAnyHook() ? undefined : (loading ??= load()),
      };
    },
    guardSources,
    strengths: () => (strengths ??= namedStrengths(guardSources)),
    async close() {
      await gathered.close();
      records?.close();
    },
  };
}

/** Dialects that are needed whatever files are read: those of the program's hooks, and ours, in which self-protection is written. */
const spokenBy = (hooks: readonly Hook[]): string[] => [
  ...new Set([
    ...hooks.filter(({ origin }) => origin.layer === 'session').map(({ dialect }) => dialect),
    'anyhook',
  ]),
];

/** A file's `order` puts some first; a dialect that it forgets comes after them, and does not lose its guards. */
function inOrder(known: readonly Dialect[], order: readonly string[] | undefined) {
  if (order === undefined) return { dialects: known, problems: [] };
  const { dialects, problems } = dialectsNamed(order);
  return { dialects: [...new Set([...dialects.filter((one) => known.includes(one)), ...known])], problems };
}

/** An agent calls the tools of servers as its record says, or else as its dialect does; any other host as we do. */
function lexiconOf(dialects: readonly Dialect[], host: Options['host'], locations: Required<Locations>) {
  const agent = agentOf(host.name);
  const words = agent && (agent.mcp?.names ?? dialectsNamed([agent.dialect]).dialects[0]?.tools.mcp);
  const servers = words?.isAnybodys && agent?.mcp ? namedMcpServers(agent.mcp, locations) : undefined;
  return makeLexicon(toolColumns(dialects), host.tools, words, servers);
}

/** A named home is the program's word; otherwise the environment's is looked at. */
const movedFor = (options: Options, { cwd }: Locations): readonly MovedFolder[] =>
  options.home === undefined ? movedInto(cwd, options.env ?? process.env) : [];

/** Where the person's own guards are cannot be told any more. */
const refusesMoved = (moved: MovedFolder): Hook =>
  builtIn(`anyhook:moved:${moved.variable}`, 'refuses while your own settings are led into the project', () =>
    deny(`${movedProblem(moved).message} ${movedProblem(moved).remedy}`),
  );

/** What it said is lost: it has failed, and its own policy says what that means. */
const lostTo =
  (detail: string) =>
  (hook: Hook): Hook => ({ ...hook, run: { kind: 'missing', why: { kind: 'killed', detail } } });

async function recordsOf(
  means: Means,
  { journal }: EngineSettings,
  origin: KnownOrigin,
  hookOf: (id: string) => Hook | undefined,
): Promise<Records | undefined> {
  if (journal === false) return undefined;
  const { options, folders, locations, services } = means;
  const { openRecords } = await import('./records.ts');
  return openRecords({
    journal,
    folders,
    host: options.host,
    env: locations.env,
    hookOf,
    origin,
    warn: (message) => services.log?.('error', message),
  });
}

/** Loading may take half of the time that is left of a fire; the other half is for its hooks. */
const halfTime = (until: number | undefined): number =>
  until === undefined ? Infinity : performance.now() + (until - performance.now()) / 2;
