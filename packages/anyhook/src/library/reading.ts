/** Reads the settings of a program and builds what its hooks need: engine, journal, self-protection. */

import { agentOf } from '../agents/index.ts';
import { dialectsNamed, toolColumns } from '../dialects.ts';
import { type Engine, makeEngine } from '../engine/engine.ts';
import type { Parts } from '../engine/parts.ts';
import type { ApprovalSettings } from '../events/approval-settings.ts';
import { lacksOf } from '../events/capabilities.ts';
import type { Dialect, Locations } from '../events/dialect.ts';
import { deny } from '../events/effects.ts';
import type { Event, EventInput } from '../events/event.ts';
import { type Hook, isOrganisations } from '../events/hook.ts';
import { type Lexicon, makeLexicon } from '../events/lexicon.ts';
import type { Problem } from '../events/problems.ts';
import { traceHeadersIn } from '../events/trace.ts';
import type { UndoSettings } from '../events/undo-settings.ts';
import { builtIn } from '../gather/built-in.ts';
import { homeProblem } from '../gather/folders.ts';
import { gather, type GatheredHooks } from '../gather/gather.ts';
import type { LeftHooks } from '../gather/left-hooks.ts';
import { type MovedFolder, movedInto, movedProblem, movedRefusal } from '../gather/moved.ts';
import { namedMcpServers } from '../gather/named-mcp-servers.ts';
import type { OneLook } from '../gather/one-look.ts';
import type { Options } from '../gather/options.ts';
import { type EngineSettings, settingsOf, wantedSettings } from '../gather/settings-of.ts';
import { askedInVain, unknownApprovers } from '../gather/switched-off.ts';
import { unique } from '../gather/unique.ts';
import type { KnownOrigin } from '../journal/index.ts';
import { makeRun } from '../runs/runs.ts';
import { makeAfterwards } from './afterwards.ts';
import { dialectsRead } from './dialects-read.ts';
import { makeEventOf } from './event-of.ts';
import { knownOrigin } from './known-origin.ts';
import { hooksLeft } from './left-files.ts';
import { LOADERS } from './loaders.ts';
import type * as LongTexts from './long-texts.ts';
import type { Means } from './means.ts';
import { isInAgent, selfProtectionFor, sideRoutesFor, withBinding } from './own-guards.ts';
import type { Records } from './records.ts';
import { seesScripts } from './script-files.ts';
import { type GuardSources, namedStrengths, type Strengths } from './strength.ts';

/** The hooks that count at the moment, and the engine that runs them. */
export interface State {
  readonly engine: Engine;
  /** Engine for while the user has paused hooks. The agent must not make the pause permanent. */
  readonly whilePaused: () => Engine;
  /** An engine with some of the hooks. */
  readonly engineOf: (isChosen: (hook: Hook) => boolean) => Engine;
  readonly hooks: readonly Hook[];
  readonly records: Records | undefined;
  readonly shorten: LongTexts.Shorten;
  /** Journal and self-protection load with the first hooks. Nothing is fired before they are loaded. */
  readonly loading: Promise<void> | undefined;
}

/** Used until the module that shortens long texts is loaded with the first long text. */
const unshortened: LongTexts.Shorten = (ruling) => ruling;

/** The result of one settings reading. Changes on disk apply from the next reading. */
export class Reading {
  readonly gathered: GatheredHooks;
  /** Ids of the hooks whose `allow` answers a question of another hook. */
  readonly approvers: readonly string[];
  readonly approvals: ApprovalSettings;
  /** Whether refusals are remembered. */
  readonly sticky: boolean;
  /** Undefined: undo is off. */
  readonly undo: UndoSettings | undefined;
  readonly eventOf: (input: EventInput) => Event;
  readonly guardSources: GuardSources;
  readonly #means: Means;
  readonly #known: readonly Dialect[];
  readonly #left: LeftHooks;
  readonly #wanted: EngineSettings;
  readonly #moved: readonly MovedFolder[];
  readonly #parts: Omit<Parts, 'hooks'>;
  /** For records. Includes removed hooks, which may still answer in the background. */
  readonly #hooksById = new Map<string, Hook>();
  /** The guards that stay active while hooks are paused. */
  #ownGuards: readonly Hook[] = [];
  /** The same guards, which also refuse while a bound guard differs. */
  #bindingGuards: readonly Hook[] = [];
  #records: Records | undefined;
  #longTexts: typeof LongTexts | undefined;
  #loading: Promise<void> | undefined;
  #isLoaded = false;
  #strengths: Strengths | undefined;
  #problems: readonly Problem[] | undefined;

  static async open(means: Means, look: OneLook): Promise<Reading> {
    const { options, locations } = means;
    const { without, dialects: named } = wantedSettings(options);
    const { dialects: known } = dialectsNamed(named);
    const left = hooksLeft(without, locations);
    const gathered = await gatherHooks(means, known, left, look);
    if (gathered.hooks.some(({ run }) => run.kind === 'command')) await means.commands.ready();
    const reading = new Reading(means, known, left, gathered);
    if (reading.#hasHooks()) await (reading.#loading = reading.#load());
    return reading;
  }

  private constructor(means: Means, known: readonly Dialect[], left: LeftHooks, gathered: GatheredHooks) {
    const { options, locations } = means;
    this.#means = means;
    this.#known = known;
    this.#left = left;
    this.gathered = gathered;
    this.#wanted = settingsOf(gathered.settings, options);
    this.#moved = movedFor(options, locations);
    const { dialects } = inOrder(known, this.#wanted.order);
    const lexicon = lexiconOf(dialects, options.host, locations);
    this.#parts = engineParts(means, gathered, { wanted: this.#wanted, dialects, lexicon });
    this.guardSources = { hooks: gathered.hooks, left, locations };
    this.approvers = this.#wanted.approvers;
    this.approvals = this.#wanted.approvals;
    this.sticky = this.#wanted.sticky;
    this.undo = this.#wanted.undo;
    this.eventOf = makeEventOf({
      cwd: means.cwd,
      lexicon,
      trace: traceHeadersIn(locations.env),
      session: means.ownSession,
    });
  }

  get problems(): readonly Problem[] {
    return (this.#problems ??= this.#findProblems());
  }
  /** The hooks that count now, including those added by the program. */
  currentState(): State {
    const { options, added, folders, locations } = this.#means;
    const { only } = options.limits ?? {};
    const configured = this.gathered.hooks;
    const hooks = unique([...this.#moved.map(refusesMoved), ...this.#bindingGuards, ...configured, ...added])
      .filter(({ id }) => only?.includes(id) ?? true)
      .map(seesScripts);
    if (this.#records !== undefined) for (const hook of hooks) this.#hooksById.set(hook.id, hook);
    let whilePaused: Engine | undefined;
    const pausedHooks = [...this.#ownGuards, ...configured.filter(isOrganisations).map(seesScripts)];
    const { dialects } = inOrder(this.#known, this.#wanted.order);
    return {
      engine: makeEngine({ ...this.#parts, hooks }),
      whilePaused: () => (whilePaused ??= makeEngine({ ...this.#parts, hooks: pausedHooks })),
      engineOf: (isChosen) => makeEngine({ ...this.#parts, hooks: hooks.filter(isChosen) }),
      hooks,
      records: this.#records,
      shorten: this.#longTexts?.makeShorten(hooks, dialects, folders.texts, locations.env) ?? unshortened,
      loading: this.#isLoaded || !this.#hasHooks() ? undefined : (this.#loading ??= this.#load()),
    };
  }
  /** What the guards consist of, computed at the first call. */
  strengths(): Strengths {
    return (this.#strengths ??= namedStrengths(this.guardSources));
  }
  async close(): Promise<void> {
    await this.gathered.close();
    this.#records?.close();
  }

  #hasHooks(): boolean {
    return (
      isInAgent(this.#means) ||
      this.undo !== undefined ||
      this.gathered.hooks.length + this.#means.added.size + this.#moved.length > 0
    );
  }
  /** Loads what only hooks need: self-protection, journal, shortening of long texts. */
  async #load(): Promise<void> {
    const [means, gathered, left] = [this.#means, this.gathered, this.#left];
    const protectedHooks = { gathered, left, settings: this.#wanted, dialects: this.#known };
    this.#ownGuards = [
      ...(await selfProtectionFor(means, protectedHooks)),
      ...(await sideRoutesFor(means, [...gathered.hooks, ...left.hooks])),
    ];
    this.#bindingGuards = withBinding(means, this.#ownGuards, this.guardSources);
    this.#records = await recordsOf(means, this.#wanted, knownOrigin(gathered), (id) =>
      this.#hooksById.get(id),
    );
    const { journal } = this.#wanted;
    const { folders, histories, refusals } = means;
    const journalFolders =
      journal === false ? undefined : { folder: journal.folder ?? folders.journal, heads: folders.heads };
    await histories.load(gathered.hooks, journalFolders);
    refusals.load(journalFolders);
    this.#longTexts = await import('./long-texts.ts');
    this.#isLoaded = true;
  }
  #findProblems(): readonly Problem[] {
    const { options, locations, added } = this.#means;
    const { without, dialects: named } = wantedSettings(options);
    const { only } = options.limits ?? {};
    const { hooks, disabled, problems } = this.gathered;
    const homeless = homeProblem(locations);
    return [
      ...dialectsNamed(named).problems,
      ...dialectsNamed(without?.map((one) => one.split('@')[0]!)).problems,
      ...inOrder(this.#known, this.#wanted.order).problems,
      ...this.#moved.map(movedProblem),
      ...(homeless === undefined ? [] : [homeless]),
      ...problems,
      ...(only === undefined ? [] : askedInVain(only, [...this.#ownGuards, ...hooks, ...added])),
      ...unknownApprovers(this.#wanted.approvers, [...hooks, ...disabled]),
    ];
  }
}

async function gatherHooks(
  means: Means,
  known: readonly Dialect[],
  left: LeftHooks,
  look: OneLook,
): Promise<GatheredHooks> {
  const { options, locations, folders, services, depthLimit } = means;
  const openGate = async (hashes: readonly string[], listed?: ReadonlySet<string>) =>
    (await import('../gather/trusted.ts')).openGate(
      locations,
      folders,
      { ...options.trust, hashes: [...hashes, ...(options.trust?.hashes ?? [])] },
      performance.now() + (options.limits?.openMs ?? Infinity),
      listed,
    );
  return gather({
    options,
    dialects: dialectsRead(known, wantedSettings(options).without, agentOf(options.host.name)?.neverFires),
    locations,
    look,
    left,
    services,
    depthLimit,
    openGate,
    trustedGuards: folders.trustedGuards,
    loaders: LOADERS,
    onStray: means.onStray,
    ...(means.runOwned && { runOwned: means.runOwned }),
    ...(means.signal && { signal: means.signal }),
  });
}

interface EngineBasis {
  readonly wanted: EngineSettings;
  readonly dialects: readonly Dialect[];
  readonly lexicon: Lexicon;
}

function engineParts(
  means: Means,
  gathered: GatheredHooks,
  { wanted, dialects, lexicon }: EngineBasis,
): Omit<Parts, 'hooks'> {
  const { options, locations, folders, commands, mcp, services, depthLimit } = means;
  const { limits = {}, watch = {}, sessionStore = 'memory' } = options;
  return {
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
        sessionStore,
      }),
      isolated: gathered.runIsolated,
      mcp: mcp.ready,
      env: locations.env,
      isGated: true,
      changed: (hook) => gathered.gate?.changed(hook) ?? [],
      judgeRule: (way, call) => means.histories.judge(way, call, locations.cwd),
      ...(options.signal && { signal: options.signal }),
    }),
    services,
    spellings: lexicon.spellings,
    mcpTools: lexicon.mcpTools,
    lacks: lacksOf(options.host.can),
    shadow: wanted.shadow,
    ...(options.modules?.seedStrict === true && { seedStrict: true }),
    ...(limits.budgetMs !== undefined && { budgetMs: limits.budgetMs }),
    ...(watch.onStart && { onStart: watch.onStart }),
    ...(watch.onEnd && { onEnd: watch.onEnd }),
    onLate: means.onLate,
  };
}

/** Dialects that are always needed: those of the program's hooks, and ours, because self-protection is written in it. */
const spokenBy = (hooks: readonly Hook[]): string[] => [
  ...new Set([
    ...hooks.filter(({ origin }) => origin.layer === 'session').map(({ dialect }) => dialect),
    'anyhook',
  ]),
];

/** A file's `order` moves some dialects first. A dialect that it omits comes later and keeps its guards. */
function inOrder(known: readonly Dialect[], order: readonly string[] | undefined) {
  if (order === undefined) return { dialects: known, problems: [] };
  const { dialects, problems } = dialectsNamed(order);
  return { dialects: [...new Set([...dialects.filter((one) => known.includes(one)), ...known])], problems };
}

/** An agent names server tools as its record says, or else as its dialect does. Any other host uses our names. */
function lexiconOf(dialects: readonly Dialect[], host: Options['host'], locations: Required<Locations>) {
  const agent = agentOf(host.name);
  const words = agent && (agent.mcp?.names ?? dialectsNamed([agent.dialect]).dialects[0]?.tools.mcp);
  const servers = words?.isAnybodys && agent?.mcp ? namedMcpServers(agent.mcp, locations) : undefined;
  return makeLexicon(toolColumns(dialects), host.tools, words, servers);
}

/** A home folder in the options is trusted. Otherwise the one of the environment is checked. */
const movedFor = (options: Options, { cwd }: Locations): readonly MovedFolder[] =>
  options.home === undefined ? movedInto(cwd, options.env ?? process.env) : [];

/** The location of the user's own guards can no longer be determined. */
const refusesMoved = (moved: MovedFolder): Hook =>
  builtIn(`anyhook:moved:${moved.variable}`, 'refuses while your home folder is inside the project', () =>
    deny(movedRefusal(moved)),
  );

async function recordsOf(
  means: Means,
  { journal }: EngineSettings,
  origin: KnownOrigin,
  hookOf: (id: string) => Hook | undefined,
): Promise<Records | undefined> {
  if (journal === false) return undefined;
  const { options, folders, locations, services, histories, refusals } = means;
  const { openRecords } = await import('./records.ts');
  return openRecords({
    journal,
    folders,
    host: options.host,
    env: locations.env,
    hookOf,
    origin,
    warn: (message) => services.log?.('error', message),
    onWrite(session, isInFile) {
      histories.written(session, isInFile);
      refusals.written(session, isInFile);
    },
  });
}
