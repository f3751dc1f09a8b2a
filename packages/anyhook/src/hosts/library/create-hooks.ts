/** The door for agent authors: hooks from everywhere, one `fire`, one outcome. */
import { EVERYTHING } from '../../canon/capabilities.ts';
import type { Event, Moment } from '../../canon/event.ts';
import type { Outcome } from '../../canon/outcome.ts';
import { withDefaults } from '../../canon/services.ts';
import { isQuiet, nothingSaid } from '../../engine/direct.ts';
import { lower } from '../../engine/lower.ts';
import { pauseFileIn, watchPause } from '../../settings/pause.ts';
import { lazyCommands } from '../../assembly/commands.ts';
import { execThrough } from '../../assembly/exec.ts';
import { explain } from './explain.ts';
import { askPermission } from './ask-permission.ts';
import { foldersOf, groundOf } from '../../assembly/folders.ts';
import { NOTHING_ASKED } from '../../assembly/gate.ts';
import { makeLate } from './late.ts';
import { openLineage } from '../../assembly/lineage.ts';
import { lazyMcpTools } from '../../assembly/mcp-tools.ts';
import { inHostWords } from './moment.ts';
import { makeNesting } from './nesting.ts';
import { type Means, openState } from './open-state.ts';
import { OpenedHooks } from './opened.ts';
import type { Hooks } from './hooks.ts';
import type { Options } from '../../assembly/options.ts';
import { refused } from './refused.ts';
import { makeResumes } from '../../assembly/resumes.ts';
import { announcementsAcross, announcementsHere } from './announcements.ts';
import { extentOf } from '../../settings/acts.ts';
import { polled } from '../../settings/polled.ts';
import { stampOf } from '../../settings/reload.ts';
import { wantsOf } from './wants.ts';
import { makeWrapTool } from './wrap-tool.ts';

/** Of a session without a name nothing is remembered: the next event may be anybody's. */
const NAMELESS = 'unknown';

export async function createHooks(options: Options): Promise<Hooks> {
  const ground = groundOf(options);
  const can = options.host.can === 'everything' ? EVERYTHING : options.host.can;
  const lineage = openLineage(ground.env);
  const commands = lazyCommands({ mode: options.mode ?? 'long-lived', env: options.env });
  const services = withDefaults(
    { permit: askPermission((moment) => fire(moment)), ...options.services },
    execThrough(() => commands.ready(), ground.cwd, lineage),
  );
  const mcp = lazyMcpTools(services, ground.cwd);
  const late = makeLate();
  const resumes = makeResumes();
  const nesting = makeNesting();
  const means: Means = {
    options,
    ground,
    folders: foldersOf(ground),
    can,
    commands,
    mcp,
    services,
    lineage,
    onLate: (run, hook, event) => {
      late.heard(run, event);
      options.onLate?.(run, hook);
    },
  };
  let state = await openState(means);
  /** Read in hot loops: one object for good, which a reload writes anew. */
  const wants = wantsOf(state.engine);
  let isClosed = false;
  const isPaused = watchPause(pauseFileIn(means.folders.trust));
  const stays = options.mode !== 'one-shot';
  const { acts, reload: stamp } = means.folders;
  const extent = stays ? polled(() => extentOf(acts)) : () => extentOf(acts);
  const announcements = stays
    ? announcementsHere(means.folders)
    : announcementsAcross(means.folders, () => state.strengths());
  const stampNow = polled(() => stampOf(stamp));
  let stampThen = stays ? stampNow() : '';
  if (stays) state.strengths(); // as they are now, for a comparison later

  function fire(moment: Moment): Promise<Outcome> {
    if (stays && stampNow() !== stampThen) {
      stampThen = stampNow();
      return doing.reload().then(() => fire(moment));
    }
    if (!wants[moment.name]) return Promise.resolve(unheard(moment));
    const event = resumes.flag(state.eventOf(moment));
    const started = state.records === undefined ? 0 : performance.now();
    if (isClosed) return Promise.resolve(inHostWords(refused(event, 'the hooks are closed'), event));
    const why = nesting.enter(moment);
    if (why !== '') return Promise.resolve(finish(refused(event, why), event, started, moment));
    const paused = isPaused();
    let answer: ReturnType<typeof state.engine.fire>;
    try {
      answer = (paused ? state.whilePaused() : state.engine).fire(event, signalOf(moment));
    } finally {
      nesting.called();
    }
    if (answer instanceof Promise)
      return answer.then(
        (outcome) => {
          nesting.leave(moment);
          return finish(paused ? { ...outcome, paused } : outcome, event, started, moment);
        },
        (error: unknown) => {
          nesting.leave(moment);
          throw error;
        },
      );
    nesting.leave(moment);
    const said = answer ?? nothingSaid(event.payload);
    return Promise.resolve(finish(paused ? { ...said, paused } : said, event, started, moment));
  }
  /** Nobody listens. Who lives for one event still has to say that a guard of this session is gone. */
  function unheard(moment: Moment): Outcome {
    const silence = nothingSaid(moment.payload);
    const { session = NAMELESS } = moment.ids ?? {};
    return stays || session === NAMELESS
      ? silence
      : announcements.follow(silence, { ids: { session } }, extent);
  }
  const signalOf = ({ signal }: Moment): AbortSignal | undefined =>
    signal === undefined || options.signal === undefined
      ? (signal ?? options.signal)
      : AbortSignal.any([signal, options.signal]);

  function finish(outcome: Outcome, event: Event, started: number, { ids }: Moment): Outcome {
    const joined = late.join(resumes.cap(outcome, event), event);
    const lowered = isQuiet(joined) ? joined : lower(state.shorten(joined), event, can);
    const isKnown = stays || (ids?.session ?? NAMELESS) !== NAMELESS;
    const low = isKnown ? announcements.join(lowered, event, extent) : lowered;
    const kept = state.records?.keep(event, low, performance.now() - started) ?? low;
    return inHostWords(kept, event);
  }
  const gate = () => state.gathered.gate ?? NOTHING_ASKED;

  const doing: ConstructorParameters<typeof OpenedHooks>[0] = {
    wants,
    fire,
    wrapTool: makeWrapTool(fire, services),
    plan: (moment) => explain(state.engine, state.eventOf(moment)),
    grant: (entry) => gate().grant(entry),
    async reload() {
      const before = state;
      state = await openState(means);
      announcements.changed(before.strengths(), state.strengths());
      Object.assign(wants, wantsOf(state.engine));
      await before.gathered.close();
      before.records?.close();
    },
    async close() {
      isClosed = true;
      await state.gathered.close();
      state.records?.close();
      lineage.close();
      await Promise.all([commands.close(), mcp.close()]);
    },
  };
  return new OpenedHooks(doing, () => ({
    hooks: state.hooks,
    disabled: state.gathered.disabled,
    problems: state.problems,
    offers: state.gathered.offers,
    examined: gate().examined,
  }));
}
