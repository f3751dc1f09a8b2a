/** Processes one event: checks for listeners, then runs the layers around the hooks and the hooks. */

import type { Engine } from '../engine/engine.ts';
import type { Grades } from '../events/capabilities.ts';
import type { EventInput } from '../events/event.ts';
import { isEventName } from '../events/events.ts';
import { type Outcome, outcomeOf, type Ruling, silentOutcome } from '../events/outcome.ts';
import { wantedSettings } from '../gather/settings-of.ts';
import { pauseFileIn, watchPause } from '../settings/pause.ts';
import { Announcements } from './announcements.ts';
import { type FireCall, fireThrough, type FireLayer } from './fire-through.ts';
import { inputFault } from './input-fault.ts';
import type { LateTexts } from './late-texts.ts';
import { fireLayers } from './layers.ts';
import { typosLeft } from './left-files.ts';
import { movedBridges } from './left-to-agent.ts';
import type { Means } from './means.ts';
import { Nesting } from './nesting.ts';
import type { Opening } from './opening.ts';
import { bindsGuards } from './own-guards.ts';
import { QuestionsToUser } from './questions-to-user.ts';
import type { RefusalScene } from './refusals.ts';
import { Snapshots } from './snapshots.ts';
import type { makeStrayErrors } from './stray-errors.ts';
import { unknownEvent, WantedEvents } from './wants.ts';
import { idleLines, isBroken, offLines, PAUSED, saying, unaskedLine } from './what-is-off.ts';

export interface PipelineParts {
  readonly means: Means;
  readonly opening: Opening;
  readonly lateTexts: LateTexts;
  readonly strayErrors: ReturnType<typeof makeStrayErrors>;
}

type AskedCall = Pick<FireCall, 'input' | 'event'>;

export class EventPipeline {
  readonly wanted = new WantedEvents();
  readonly #means: Means;
  readonly #opening: Opening;
  readonly #lateTexts: LateTexts;
  readonly #announcements: Announcements;
  readonly #isPaused: () => boolean;
  readonly #nesting = new Nesting();
  readonly #layers: readonly FireLayer[];
  readonly #questions: QuestionsToUser;
  readonly #snapshots: Snapshots;
  /** Lines for the user about hooks that do not run. */
  #off: readonly string[] = [];
  /** A project hook is untrusted or a settings file is broken, so calls may pass that a hook should have judged. */
  #mayPassUnasked = false;
  #isBroken = false;

  constructor({ means, opening, lateTexts, strayErrors }: PipelineParts) {
    this.#means = means;
    this.#opening = opening;
    this.#lateTexts = lateTexts;
    const { store, folders, lookEveryMs, options } = means;
    this.#questions = new QuestionsToUser(means, opening);
    this.#snapshots = new Snapshots(means, opening);
    this.#isPaused = watchPause(pauseFileIn(folders.data), lookEveryMs);
    this.#announcements = new Announcements({
      store,
      acts: folders.acts,
      bindsGuards: bindsGuards(means),
      sources: () => opening.reading.guardSources,
      lookEveryMs,
    });
    this.#layers = fireLayers({
      opening,
      isPaused: this.#isPaused,
      announce: (ruling, call) => this.#announce(ruling, call),
      can: options.host.can,
      store,
      lateTexts,
      strayErrors,
      nesting: this.#nesting,
      histories: means.histories,
      refusals: means.refusals,
    });
    this.#settle();
    opening.watch(({ before }) => {
      if (before !== undefined) this.#announcements.afterReload(before.strengths());
      void this.#snapshots.reset();
      this.#settle();
    });
  }

  fire(input: EventInput): Promise<Outcome> {
    if (this.#opening.isReloadWanted) return this.#opening.reload().then(() => this.fire(input));
    if (!isEventName(input?.name)) return Promise.reject(unknownEvent('hooks.fire', input?.name));
    if (!this.#isHeard(input)) return Promise.resolve(this.#outcomeWithoutHooks(input));
    const { loading } = this.#opening.state;
    if (loading !== undefined) return loading.then(() => this.fire(input));
    const fault = inputFault('hooks.fire', input);
    if (fault !== undefined) return Promise.reject(fault);
    return this.#fireThroughLayers(input);
  }

  /** Refreshes `wants`. Call it after late texts or hooks were added or removed. */
  updateWanted(): void {
    const isNews = this.#off.length > 0 || this.#isBroken;
    this.wanted.update(
      (name) => this.#isListenedTo(name),
      (isHeard) => isHeard || isNews || this.#typos().length > 0,
    );
  }

  #settle(): void {
    const { services, options } = this.#means;
    const { found, reading } = this.#opening;
    const isWaiting = found.examined.some(({ judgement }) => judgement.state !== 'trusted');
    this.#isBroken = reading.problems.some(isBroken);
    this.#mayPassUnasked = isWaiting || this.#isBroken;
    this.#off = offLines(found, options.host, services);
    this.#questions.reset();
    this.updateWanted();
  }

  /** An event without listeners is still fired if its user has a pending notice. */
  #isHeard({ name, ids }: EventInput): boolean {
    if (this.#isListenedTo(name)) return true;
    if (name === 'session.start') return this.#off.length > 0 || this.#isBroken || this.#typos().length > 0;
    return ids?.session !== undefined && this.#lateTexts.waitsFor(name, ids.session);
  }
  #isListenedTo(name: EventInput['name']): boolean {
    return (
      this.#opening.state.engine.wants(name) ||
      this.#means.histories.wants(name) ||
      this.#lateTexts.mayBeCarriedBy(name) ||
      this.#questions.wants(name) ||
      this.#snapshots.wants(name)
    );
  }
  /** Writes no record, but still notifies the user of a running session of changes to guards. */
  #outcomeWithoutHooks(input: EventInput): Outcome {
    this.#questions.note(input);
    const silent = silentOutcome(input);
    const session = input.ids?.session;
    if (session === undefined || !this.#means.store.has(session)) return silent;
    return outcomeOf(this.#announcements.join(silent, { ids: { session } }), input.name);
  }

  #fireThroughLayers(input: EventInput): Promise<Outcome> {
    const { reading } = this.#opening;
    const call: FireCall = { input, event: reading.eventOf(input), startedMs: 0, isPaused: false };
    const fired = fireThrough(this.#layers, call, () =>
      this.#snapshots.around(call.event, input, () => this.#askHooks(call)),
    );
    return this.#snapshots.wants(input.name) ? this.#withoutRefused(fired) : fired;
  }
  /** A layer above the hooks may refuse the call, for example because the host cannot ask its user. */
  async #withoutRefused(fired: Promise<Outcome>): Promise<Outcome> {
    const outcome = await fired;
    if (outcome.undo !== undefined && outcome.proceed === 'no') await this.#snapshots.drop(outcome);
    return outcome;
  }
  close(): Promise<void> {
    return this.#snapshots.close();
  }
  #askHooks(call: FireCall): Ruling | Promise<Ruling> | undefined {
    const { input, event, isPaused } = call;
    const { state } = this.#opening;
    if (isPaused) return this.#run(state.whilePaused(), call);
    if (event.name !== 'tool.before' || !state.engine.wants(event.name))
      return this.#judged(state.engine, call);
    return this.#means.refusals.judge(event, this.#refusalScene({ input, event }));
  }
  #run(engine: Engine, { input, event }: AskedCall): Ruling | Promise<Ruling> | undefined {
    return this.#nesting.deeper(() => engine.fire(event, this.#signalOf(input), input.budgetMs));
  }
  #judged(engine: Engine, call: AskedCall): Ruling | Promise<Ruling> | undefined {
    const ruling = this.#run(engine, call);
    return this.#questions.isOn ? this.#answered(ruling, call) : ruling;
  }
  #refusalScene(call: AskedCall): RefusalScene {
    const { state, reading } = this.#opening;
    const { event, input } = call;
    const engineWithout = (id: string) => state.engineOf((hook) => hook.id !== id);
    const grades: Grades = this.#means.options.host.can[event.name] ?? {};
    return {
      hooks: state.hooks,
      isOn: reading.sticky,
      can: { ask: this.#questions.canAsk(event.name), halt: grades.halt === 'full' },
      judge: async (without) =>
        (await this.#judged(without === undefined ? state.engine : engineWithout(without), call)) ??
        silentOutcome(event),
      settle: (question) => this.#answered(question, call),
      askOne: async (hook, refused) =>
        this.#run(
          state.engineOf(({ id }) => id === hook.id),
          { input, event: refused },
        ),
    };
  }
  /** Questions of hooks become answers of the user. */
  async #answered(asked: Ruling | Promise<Ruling> | undefined, { input, event }: AskedCall): Promise<Ruling> {
    if (!this.#questions.isOn) return (await asked) ?? silentOutcome(event);
    const { waiting = {}, budgetMs = Infinity } = input;
    const untilMs = performance.now() + budgetMs;
    const signal = this.#signalOf(input);
    const limits = { untilMs, signal, waitingPid: waiting.pid, agentPid: waiting.agent };
    return this.#questions.settle((await asked) ?? silentOutcome(event), event, limits, (approved) =>
      this.#opening.state.engine.veto(approved, event, signal, untilMs - performance.now()),
    );
  }
  #signalOf({ signal }: EventInput): AbortSignal | undefined {
    const { signal: always } = this.#means.options;
    if (signal === undefined) return always;
    return always === undefined ? signal : AbortSignal.any([signal, always]);
  }

  #announce(ruling: Ruling, { event }: FireCall): Ruling {
    const lines = event.name === 'session.start' ? this.#startLines(ruling) : [];
    const { hooks } = this.#opening.state;
    const { problems } = this.#opening.reading;
    const unasked =
      this.#mayPassUnasked || ruling.paused
        ? unaskedLine(ruling, event.name, { hooks, problems })
        : undefined;
    return this.#announcements.join(saying(ruling, lines), event, unasked);
  }
  #startLines({ paused }: Ruling): readonly string[] {
    return [...this.#off, ...this.#typos(), ...(paused ? [PAUSED] : [])];
  }
  /** Hooks disabled by a mistake, including in files left to the host. Finding them takes longer than opening the rest. */
  #typos(): readonly string[] {
    const { options, locations } = this.#means;
    return [
      ...idleLines(this.#opening.reading.gathered, options.host),
      ...typosLeft(wantedSettings(options).without, locations),
      ...movedBridges(locations),
    ];
  }
}
