/** The door for agent authors: hooks from everywhere, one `fire`, one outcome. */
import type { Event, EventInput } from '../../canon/event.ts';
import type { EventName } from '../../canon/events.ts';
import type { Hook } from '../../canon/hook.ts';
import type { Problem } from '../../canon/problems.ts';
import { type Outcome, outcomeOf, OutcomeWith, type Ruling, settled } from '../../canon/outcome.ts';
import { withDefaults } from '../../canon/services.ts';
import { nothingSaid } from '../../engine/synchronous.ts';
import { pauseFileIn, readPause, watchPause } from '../../settings/pause.ts';
import { checkCan, checkOptions } from '../../assembly/check-options.ts';
import { lazyCommands } from '../../assembly/commands.ts';
import { execThrough } from '../../assembly/exec.ts';
import { foldersOf, homeVariables, locationsOf } from '../../assembly/folders.ts';
import { NOTHING_ASKED } from '../../assembly/gate.ts';
import { openDepthLimit } from '../../assembly/depth-limit.ts';
import { lazyMcpTools } from '../../assembly/mcp-tools.ts';
import { oneLook } from '../../assembly/one-look.ts';
import type { Options } from '../../assembly/options.ts';
import { settingsOf, wantedSettings } from '../../assembly/settings-of.ts';
import { projectRoot } from './project-root.ts';
import { hookOn } from '../../assembly/program-hooks.ts';
import { makeResumes } from '../../assembly/resumes.ts';
import { countsInMemory, countsOnDisk, NAMELESS } from '../../assembly/resume-counts.ts';
import { LOAD_DEADLINE_MS, MORE_TIME } from '../../runners/module/load-module.mjs';
import { surviveStrayErrors } from '../../runners/module/stray-errors.ts';
import { extentOf } from '../../settings/acts.ts';
import { changes, polled } from '../../settings/polled.ts';
import { stampOf } from '../../settings/reload.ts';
import { announcementsAcross, announcementsHere } from './announcements.ts';
import type { BoundNow } from './changed-guards.ts';
import { explain } from './explain.ts';
import { type Hooks, OpenedHooks } from './hooks.ts';
import { inputSlip } from './input-slip.ts';
import { makeLate } from './late.ts';
import { lateWordsIn } from './late-words.ts';
import { fireLayers, neverResting } from './layers.ts';
import { slipsLeft } from './left-files.ts';
import { movedBridges } from './left-to-agent.ts';
import { makeNesting } from './nesting.ts';
import { questionsInMemory, questionsOnDisk } from './question-store.ts';
import { type Means, openState, type Reading, type State } from './open-state.ts';
import { makeStrayErrors } from './stray-errors.ts';
import { AwakeLayers, type FireCall, makeFire } from './through-layers.ts';
import { listeningTo, NONE_KNOWN, rewrite, silencesOf, unknownEvent, wantsOf } from './wants.ts';
import { idleLines, isBroken, neverCalled, offLines, PAUSED, saying, unaskedLine } from './what-is-off.ts';
import { askPermission, makeWrapTool } from './wrap-tool.ts';

/** Some loaders put the advice into the message, others beside it. */
const wasTooSlow = ({ message, remedy }: Problem): boolean =>
  `${message} ${remedy ?? ''}`.includes(MORE_TIME.replace(/\.$/, ''));

/** A module that was late may take so many times as long in the background. */
const PATIENCE = 12;

export async function createHooks(options: Options): Promise<Hooks> {
  checkOptions(options);
  const { can, mode = 'long-lived' } = options.host;
  /** Remembers between two events; otherwise everything is looked up on disk. */
  const remembers = mode === 'long-lived';
  const here = locationsOf(options);
  const look = oneLook(here);
  const locations = { ...here, cwd: projectRoot({ ...here, ...look.places }, look.project) };
  // In the engine the ancestors are its own: what those of the client know is in its environment already.
  const homeEnv = homeVariables(options);
  const depth = openDepthLimit(locations.env, mode === 'warm' ? { above: [] } : {});
  const depthLimit = { ...depth, env: { ...depth.env, ...homeEnv } };
  const commands = lazyCommands({ mode, env: options.env });
  const services = withDefaults(
    { permit: askPermission((input) => fire(input)), ...options.services },
    execThrough(() => commands.ready(), here.cwd, depthLimit),
  );
  const mcp = lazyMcpTools(services, locations.cwd, homeEnv);
  const folders = foldersOf(locations);
  const awake = new AwakeLayers();
  const wake = () => awake.wake();
  const late = makeLate({
    can,
    words: lateWordsIn(folders.late),
    onChange: () => listen(),
    onStale: wake,
    isKept: mode !== 'warm',
  });
  const boundNow: BoundNow = new Map();
  const nesting = makeNesting();
  const added = new Set<Hook>();
  const strayErrors = makeStrayErrors(services.log, wake);
  const runOwned =
    options.modules?.strayErrors === 'survive'
      ? surviveStrayErrors((owner, text) => strayErrors.heard({ ...owner, text }))
      : undefined;
  const means: Means = {
    options,
    added,
    locations,
    cwd: here.cwd,
    folders,
    commands,
    mcp,
    services,
    depthLimit,
    boundNow,
    onLate: (run, hook, event) => {
      state.records?.keepLate(event, run);
      late.heard(run, event);
      options.watch?.onLate?.(run, hook);
    },
    onStray: strayErrors.heard,
    ...(runOwned && { runOwned }),
  };
  let reading = await openState(means, look);
  let state = reading.settled();
  /** Both are one object for good, which is written anew when hooks come or go, and when words of a hook wait. */
  const [listening, wants] = [listeningTo(state.engine), wantsOf(state.engine)];
  /** Read first at every fire: as long as these are known, it looks neither for other settings nor for who listens. */
  let silences = NONE_KNOWN;
  const forget = () => void (silences = NONE_KNOWN);
  let isClosed = false;
  const gate = () => reading.gathered.gate ?? NOTHING_ASKED;
  const problems = checkCan(can);
  const found = () => ({
    hooks: state.hooks,
    disabled: reading.gathered.disabled,
    get problems() {
      return [
        ...problems,
        ...reading.problems,
        ...strayErrors.problems(),
        ...neverCalled(state, options.host),
      ];
    },
    policy: reading.gathered.policy,
    offers: reading.gathered.offers,
    examined: gate().examined,
  });
  /** What does not run, as lines for the person; and whether anything of it waits for trust. */
  let off: readonly string[] = [];
  let [isWaiting, isBrokenThere] = [false, false];
  /** What is off by a slip, also in files that are left to the host. Who lives for one event looks only when a session begins. */
  const slips = () => [
    ...idleLines(reading.gathered, options.host),
    ...slipsLeft(wantedSettings(options).without, locations),
    ...movedBridges(locations),
  ];
  /** As settings were read; not looked for again whenever the program brings a hook. */
  let slipsThen = remembers ? slips() : [];
  const listen = () => {
    off = [...offLines(found(), options.host, services), ...slipsThen];
    isWaiting = gate().examined.some(({ judgement }) => judgement.state !== 'trusted');
    isBrokenThere = reading.problems.some(isBroken);
    const isNews = off.length > 0 || isBrokenThere;
    const waitsFor = (name: EventName) => late.waitsFor(name) || (isNews && name === 'session.start');
    rewrite(listeningTo(state.engine, waitsFor), listening, wants);
    forget();
    wake();
  };

  /** After hooks were registered, removed or read anew. */
  function settle(): void {
    const next: State = (state = reading.settled());
    listen();
    void next.loading?.then(() => state.loading && settle()).catch(() => {});
  }

  const { acts, reload: stamp } = folders;
  const pauseFile = pauseFileIn(folders.trust);
  const extent = remembers ? polled(() => extentOf(acts), wake) : () => extentOf(acts);
  const announcements = remembers
    ? announcementsHere(folders)
    : announcementsAcross(folders, () => reading.guardSources, { boundNow, host: options.host.name });
  const isReloadWanted = remembers ? changes(() => stampOf(stamp), forget) : () => false;
  if (mode !== 'one-shot') reading.strengths(); // for a comparison later

  const atStart = ({ paused }: Pick<Ruling, 'paused'>): readonly string[] => [
    ...off,
    ...(remembers ? [] : slips()),
    ...(paused ? [PAUSED] : []),
  ];
  const around = {
    state: () => state,
    isClosed: () => isClosed,
    isPaused: remembers ? watchPause(pauseFile, wake) : () => readPause(pauseFile, Date.now()) !== undefined,
    announce(ruling: Ruling, event: Event, { ids }: EventInput) {
      const begun = event.name === 'session.start' ? saying(ruling, atStart(ruling)) : ruling;
      if (!remembers && (ids?.session ?? NAMELESS) === NAMELESS) return begun;
      const { hooks } = state;
      const unasked =
        isWaiting || isBrokenThere || ruling.paused
          ? unaskedLine(ruling, event.name, { hooks, problems: reading.problems })
          : undefined;
      return announcements.join(begun, event, extent, unasked);
    },
    announcesNothing: (name: EventName) =>
      name !== 'session.start' &&
      !(isWaiting || isBrokenThere || around.isPaused()) &&
      announcements.isNothingNew(extent),
    can,
    late,
    strayErrors,
    resumes: makeResumes(remembers ? countsInMemory() : countsOnDisk(folders.resumes)),
    questions: remembers ? questionsInMemory() : questionsOnDisk(folders.questions),
    approvers: () => reading.approvers,
    nesting,
  };
  const layers = remembers ? fireLayers(around) : neverResting(fireLayers(around));
  const through = makeFire(layers, awake, (input) => reading.eventOf(input), askHooks);
  listen();

  function fire(input: EventInput): Promise<Outcome> {
    const proceed = silences[input?.name] ?? 'unknown';
    if (proceed === 'heard') return fireHeard(input);
    return proceed === 'unknown' ? lookAndFire(input) : settled(new OutcomeWith(input.payload, proceed));
  }
  function lookAndFire(input: EventInput): Promise<Outcome> {
    if (!isClosed && isReloadWanted()) return fireAfter(reload(), input);
    if (mode === 'warm') late.lookAgain();
    const { loading } = state;
    if (remembers && silences === NONE_KNOWN && loading === undefined) silences = silencesOf(listening);
    const isWanted = listening[input?.name];
    if (isWanted === false) return settled(remembers ? nothingSaid(input) : unheard(input));
    if (isWanted === undefined) return Promise.reject(unknownEvent('hooks.fire', input?.name));
    return loading === undefined ? fireHeard(input) : fireAfter(loading, input);
  }
  function fireHeard(input: EventInput): Promise<Outcome> {
    const slip = inputSlip('hooks.fire', input);
    return slip === undefined ? through(input) : Promise.reject(slip);
  }
  /** Apart: a closure in there would make every fire keep its event where the closure can find it. */
  const fireAfter = (done: Promise<void>, input: EventInput): Promise<Outcome> =>
    done.then(() => fire(input));
  /** Nobody listens. Who lives for one event still has to say that a guard of this session is gone. */
  function unheard(input: EventInput): Outcome {
    const nothing = nothingSaid(input);
    const silence = input.name === 'session.start' ? saying(nothing, slips()) : nothing;
    const { session = NAMELESS } = input.ids ?? {};
    if (session === NAMELESS) return silence === nothing ? nothing : outcomeOf(silence, input.name);
    return outcomeOf(announcements.follow(silence, { ids: { session } }, extent), input.name);
  }
  function askHooks({ input, event, isPaused }: FireCall) {
    nesting.down();
    try {
      return (isPaused ? state.whilePaused() : state.engine).fire(event, signalOf(input));
    } finally {
      nesting.up();
    }
  }
  const { signal: always } = options;
  const signalOf = ({ signal }: EventInput): AbortSignal | undefined =>
    signal === undefined ? always : always === undefined ? signal : AbortSignal.any([signal, always]);

  let registered = 0;
  const on: Hooks['on'] = (event, callback) => {
    if (isClosed) throw new Error('hooks.on: the hooks are closed. Open others with createHooks.');
    const hook = hookOn(event, callback, registered++);
    added.add(hook);
    settle();
    return () => {
      if (added.delete(hook)) settle();
    };
  };
  /** An event leaves as the one it came as: the payload of its outcome is that of its row. */
  const typed = fire as Hooks['fire'];
  async function reload(): Promise<void> {
    if (isClosed) throw new Error('hooks.reload: the hooks are closed. Open others with createHooks.');
    await replaceReading(await openState(means, oneLook(here)));
    void loadLateModules();
  }
  async function replaceReading(next: Reading): Promise<void> {
    const before = reading;
    reading = next;
    if (remembers) slipsThen = slips();
    announcements.changed(before.strengths(), reading.guardSources);
    settle();
    await before.close();
  }
  /** Modules that did not load in time are loaded again with more time, while events go on: then their hooks count. */
  const closing = new AbortController();
  async function loadLateModules(): Promise<void> {
    const { gathered, problems: found } = reading;
    if (mode === 'one-shot' || !found.some(wasTooSlow)) return;
    const { loadMs = LOAD_DEADLINE_MS } = settingsOf(gathered.settings, options);
    const modules = { ...options.modules, loadMs: loadMs * PATIENCE };
    const patient = { ...means, options: { ...options, modules }, signal: closing.signal };
    const late = reading;
    const next = await openState(patient, oneLook(here));
    if (isClosed || reading !== late) await next.close();
    else await replaceReading(next);
  }
  void loadLateModules().catch((error: unknown) => services.log?.('error', String(error)));

  return new OpenedHooks(
    {
      wants,
      fire: typed,
      on,
      wrapTool: makeWrapTool(typed, services),
      plan(input) {
        if (listening[input?.name] === undefined) throw unknownEvent('hooks.plan', input?.name);
        const slip = inputSlip('hooks.plan', input);
        if (slip !== undefined) throw slip;
        return explain(state.engine, reading.eventOf(input));
      },
      grant: (entry) => gate().grant(entry),
      reload,
      async close() {
        isClosed = true;
        closing.abort();
        wake();
        late.close();
        strayErrors.close();
        await reading.close();
        depthLimit.close();
        await Promise.all([commands.close(), mcp.close()]);
      },
    },
    found,
  );
}
