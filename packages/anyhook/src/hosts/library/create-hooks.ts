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
import { surviveStrayErrors } from '../../runners/module/stray-errors.ts';
import { makeStrayErrors } from './stray-errors.ts';
import { wantsOf } from './wants.ts';
import { makeWrapTool } from './wrap-tool.ts';

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
  const strayErrors = makeStrayErrors(services.log);
  const runOwned =
    options.strayErrors === 'survive'
      ? surviveStrayErrors((owner, text) => strayErrors.heard({ ...owner, text }))
      : undefined;
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
    onStray: strayErrors.heard,
    ...(runOwned && { runOwned }),
  };
  let state = await openState(means);
  /** Read in hot loops: one object for good, which a reload writes anew. */
  const wants = wantsOf(state.engine);
  let isClosed = false;
  const isPaused = watchPause(pauseFileIn(means.folders.trust));

  function fire(moment: Moment): Promise<Outcome> {
    if (!wants[moment.name]) return Promise.resolve(nothingSaid(moment.payload));
    const event = resumes.flag(state.eventOf(moment));
    const started = state.records === undefined ? 0 : performance.now();
    if (isClosed) return Promise.resolve(inHostWords(refused(event, 'the hooks are closed'), event));
    const why = nesting.enter(moment);
    if (why !== '') return Promise.resolve(finish(refused(event, why), event, started));
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
          return finish(paused ? { ...outcome, paused } : outcome, event, started);
        },
        (error: unknown) => {
          nesting.leave(moment);
          throw error;
        },
      );
    nesting.leave(moment);
    const said = answer ?? nothingSaid(event.payload);
    return Promise.resolve(finish(paused ? { ...said, paused } : said, event, started));
  }
  const signalOf = ({ signal }: Moment): AbortSignal | undefined =>
    signal === undefined || options.signal === undefined
      ? (signal ?? options.signal)
      : AbortSignal.any([signal, options.signal]);

  function finish(outcome: Outcome, event: Event, started: number): Outcome {
    const joined = strayErrors.join(late.join(resumes.cap(outcome, event), event), event);
    const low = isQuiet(joined) ? joined : lower(state.shorten(joined), event, can);
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
      Object.assign(wants, wantsOf(state.engine));
      await before.gathered.close();
      before.records?.close();
    },
    async close() {
      isClosed = true;
      strayErrors.close();
      await state.gathered.close();
      state.records?.close();
      lineage.close();
      await Promise.all([commands.close(), mcp.close()]);
    },
  };
  return new OpenedHooks(doing, () => ({
    hooks: state.hooks,
    disabled: state.gathered.disabled,
    problems: [...state.problems, ...strayErrors.problems()],
    offers: state.gathered.offers,
    examined: gate().examined,
  }));
}
