/** What one reading of all settings came to. Frozen: what changes on disk counts from the next reading. */
import { agentOf } from '../../agents/index.ts';
import type { Capabilities } from '../../canon/capabilities.ts';
import type { Dialect, Ground } from '../../canon/dialect.ts';
import { deny } from '../../canon/effects.ts';
import type { Event, Moment } from '../../canon/event.ts';
import { EVENT_NAMES } from '../../canon/events.ts';
import type { Hook } from '../../canon/hook.ts';
import { makeLexicon } from '../../canon/lexicon.ts';
import type { Problem } from '../../canon/problems.ts';
import type { Services } from '../../canon/services.ts';
import { type Engine, makeEngine } from '../../engine/engine.ts';
import type { Parts } from '../../engine/parts.ts';
import { dialectsNamed } from '../../assemble.ts';
import { builtIn } from '../../assembly/built-in.ts';
import type { Commands } from '../../assembly/commands.ts';
import type { Folders } from '../../assembly/folders.ts';
import { gather, type Gathered } from '../../assembly/gather.ts';
import type { Lineage } from '../../assembly/lineage.ts';
import { makeShorten, type Shorten } from './long-texts.ts';
import type { McpTools } from '../../assembly/mcp-tools.ts';
import { makeEventOf } from './moment.ts';
import { type Moved, movedInto, movedProblem } from '../../assembly/moved.ts';
import type { Options } from '../../assembly/options.ts';
import type { Records } from './records.ts';
import { makeRun } from '../../assembly/runs.ts';
import { scriptsNamed } from '../../assembly/scripts-named.ts';
import { type Strengths, strengthsOf } from './strength.ts';
import { settingsOf, type Wanted } from '../../assembly/settings-of.ts';

export interface State {
  readonly engine: Engine;
  /** The person switched hooks off for a while: the agent still must not make that for good. */
  readonly whilePaused: () => Engine;
  readonly gathered: Gathered;
  readonly hooks: readonly Hook[];
  readonly problems: readonly Problem[];
  readonly records: Records | undefined;
  readonly eventOf: (moment: Moment) => Event;
  readonly shorten: Shorten;
  /** How strict its guards were when this was first asked. */
  readonly strengths: () => Strengths;
}
export interface Means {
  readonly options: Options;
  readonly ground: Required<Ground>;
  readonly folders: Folders;
  readonly can: Capabilities;
  readonly commands: Commands;
  readonly mcp: McpTools;
  readonly services: Services;
  readonly lineage: Lineage;
  readonly onLate: NonNullable<Parts['onLate']>;
}

export async function openState(means: Means): Promise<State> {
  const { options, ground, folders, can, commands, mcp, services, lineage } = means;
  const known = dialectsNamed(options.dialects);
  const openGate = async (hashes: readonly string[]) =>
    (await import('../../assembly/trusted.ts')).openGate(ground, folders, {
      ...options.trust,
      hashes: [...hashes, ...(options.trust?.hashes ?? [])],
    });
  const gathered = await gather({
    options,
    dialects: unread(known.dialects, options.without),
    ground,
    services,
    lineage,
    openGate,
    stood: folders.stood,
  });
  const wanted = settingsOf(gathered.settings, options);
  const { dialects, problems } = inOrder(known.dialects, wanted.order);
  const own = [
    ...(await protection(means, gathered, wanted, known.dialects)),
    ...(await besides(means, gathered)),
  ];
  const moved = movedFor(options, ground);
  const hooks = [...moved.map(refusesMoved), ...own, ...gathered.hooks].filter(
    ({ id }) => options.only?.includes(id) ?? true,
  );
  if (hooks.some(({ run }) => run.kind === 'command')) await commands.ready();
  const lexicon = makeLexicon(
    dialects.map(({ tools }) => tools),
    options.host.tools,
  );
  const parts: Parts = {
    dialects: [...new Set([...dialects, ...dialectsNamed(spokenBy(hooks)).dialects])],
    hooks,
    run: makeRun({
      commands: commands.now,
      services,
      lineage,
      endings: new Set(dialects.flatMap(({ words }) => words['session.end'] ?? [])),
      isolated: gathered.runIsolated,
      mcp: mcp.ready,
      env: ground.env,
      isGated: true,
      changed: (hook) => gathered.gate?.changed(hook) ?? [],
      ...(options.signal && { signal: options.signal }),
    }),
    services,
    spellings: lexicon.spellings,
    lacks: EVENT_NAMES.filter((name) => can[name] === undefined),
    shadow: wanted.shadow,
    ...(options.budgetMs !== undefined && { budgetMs: options.budgetMs }),
    ...(options.onStart && { onStart: options.onStart }),
    ...(options.onEnd && { onEnd: options.onEnd }),
    onLate: means.onLate,
  };
  let whilePaused: Engine | undefined;
  let strengths: Strengths | undefined;
  return {
    engine: makeEngine(parts),
    whilePaused: () => (whilePaused ??= makeEngine({ ...parts, hooks: own })),
    gathered,
    hooks,
    problems: [...known.problems, ...problems, ...moved.map(movedProblem), ...gathered.problems],
    records: hooks.length === 0 ? undefined : await recordsOf(means, wanted, hooks),
    eventOf: makeEventOf({ cwd: ground.cwd, lexicon }),
    shorten: makeShorten(hooks, dialects, folders.texts),
    strengths: () => (strengths ??= strengthsOf(gathered.hooks, (hook) => scriptsNamed(hook, ground))),
  };
}

/** Known by name and words, and not read: a file of theirs stays theirs, whoever else would read it. */
const unread = (dialects: readonly Dialect[], without: readonly string[] = []): readonly Dialect[] =>
  dialects.map((dialect) => {
    const { guest: _, ...rest } = dialect;
    if (without.includes(dialect.name)) return { ...rest, config: { ...dialect.config, places: () => [] } };
    const part = without.find((one) => one.startsWith(`${dialect.name}@`))?.slice(dialect.name.length + 1);
    if (part === undefined) return dialect;
    const places: Dialect['config']['places'] = (where) =>
      dialect.config.places(where).filter(({ file }) => !file.includes(part));
    return { ...dialect, config: { ...dialect.config, places } };
  });

/** What the program itself brings runs whatever files are read; ours is also the tongue of self-protection. */
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

async function protection(
  { options, ground, folders }: Means,
  gathered: Gathered,
  { journal }: Wanted,
  dialects: readonly Dialect[],
): Promise<readonly Hook[]> {
  const isInPlay = gathered.hooks.some(({ origin }) => origin.layer !== 'session' || journal !== false);
  if (!isInPlay || options.selfProtection === false) return [];
  const { selfProtection } = await import('../../assembly/self-protection/index.ts');
  const { gate, hooks, modules } = gathered;
  return [
    selfProtection({ ground, folders, journal, dialects, hooks, modules, examined: gate?.examined ?? [] }),
  ];
}

/** A named home is the program's word; otherwise the environment's is looked at. */
const movedFor = (options: Options, { cwd }: Ground): readonly Moved[] =>
  options.home === undefined ? movedInto(cwd, options.env ?? process.env) : [];

/** Where the person's own guards are cannot be told any more. */
const refusesMoved = (moved: Moved): Hook =>
  builtIn(`anyhook:moved:${moved.variable}`, 'refuses while your own settings are led into the project', () =>
    deny(`${movedProblem(moved).message} ${movedProblem(moved).remedy}`),
  );

/** What this agent does without asking its hooks is kept shut, as far as that can be done by asking ours. */
async function besides({ options }: Means, { hooks }: Gathered): Promise<readonly Hook[]> {
  const agent = agentOf(options.host.name);
  if (agent?.sideRoutes.stdin !== 'unasked' || options.selfProtection === false) return [];
  const { sideRouteGuard } = await import('../../assembly/side-routes.ts');
  return [sideRouteGuard(agent, hooks) ?? []].flat();
}

async function recordsOf(means: Means, { journal }: Wanted, hooks: readonly Hook[]) {
  if (journal === false) return undefined;
  const { options, folders, ground, services } = means;
  const byId = new Map(hooks.map((hook) => [hook.id, hook]));
  const { openRecords } = await import('./records.ts');
  return openRecords({
    journal,
    folders,
    host: options.host,
    env: ground.env,
    hookOf: (id) => byId.get(id),
    warn: (message) => services.log?.('error', message),
  });
}
