/** Takes the snapshots for `anyhook undo` around the hooks of an event. They are loaded with the first event that needs them. */

import type { Event, EventInput } from '../events/event.ts';
import type { EventName } from '../events/events.ts';
import type { Ruling } from '../events/outcome.ts';
import { silentOutcome } from '../events/outcome.ts';
import type { UndoKeeper } from '../undo/keeper.ts';
import type { Means } from './means.ts';
import type { Opening } from './opening.ts';
import { bindsGuards } from './own-guards.ts';
import { saying } from './what-is-off.ts';

const WANTED: ReadonlySet<EventName> = new Set([
  'tool.before',
  'tool.after',
  'tool.failed',
  'prompt.submit',
  'turn.stop',
  'session.start',
  'session.end',
]);
const REPORTS_END: ReadonlySet<EventName> = new Set(['tool.after', 'tool.failed']);
const ENDS_TURN: ReadonlySet<EventName> = new Set(['prompt.submit', 'turn.stop', 'session.end']);
/** Of the time for all hooks of an event, so much is left for the answer. */
const MARGIN_MS = 200;

type Asked = Ruling | Promise<Ruling> | undefined;

export class Snapshots {
  readonly #means: Means;
  readonly #opening: Opening;
  #keeper: Promise<UndoKeeper> | undefined;

  constructor(means: Means, opening: Opening) {
    this.#means = means;
    this.#opening = opening;
  }

  /** The user's setting counts in agents. A program that embeds us switches undo on itself. */
  get #settings() {
    const { undo } = this.#means.options;
    return undo === undefined && !bindsGuards(this.#means) ? undefined : this.#opening.reading.undo;
  }
  wants(name: EventName): boolean {
    return this.#settings !== undefined && WANTED.has(name);
  }
  /** The settings were read again. */
  async reset(): Promise<void> {
    const before = this.#keeper;
    this.#keeper = undefined;
    await (await before)?.close();
  }
  close(): Promise<void> {
    return this.reset();
  }

  /** Runs the hooks of an event, with a snapshot before the call or after it. */
  around(event: Event, { budgetMs }: Pick<EventInput, 'budgetMs'>, ask: () => Asked): Asked {
    if (!this.wants(event.name)) return ask();
    if (event.name === 'tool.before') return this.#before(event, budgetMs, ask);
    return this.#afterwards(event, ask);
  }

  /** The ruling became a refusal after the hooks were asked, so the call does not run. */
  async drop({ undo }: Ruling): Promise<void> {
    if (undo !== undefined && 'id' in undo) (await this.#open()).drop(undo.id);
  }

  /** The snapshot is taken while the hooks judge. A refused call does not wait for it. */
  async #before(event: Event, budgetMs: number | undefined, ask: () => Asked): Promise<Ruling> {
    const untilMs = performance.now() + (budgetMs ?? Infinity) - MARGIN_MS;
    const stop = new AbortController();
    const asked = ask();
    const keeper = await this.#open();
    const taking = keeper.begin(event, stop.signal);
    let ruling: Ruling;
    try {
      ruling = (await asked) ?? silentOutcome(event);
    } catch (error) {
      stop.abort();
      throw error;
    }
    if (ruling.verdict === 'deny' || ruling.verdict === 'defer') {
      stop.abort();
      const mark = await taking;
      if (mark !== undefined && 'id' in mark) keeper.drop(mark.id);
      return ruling;
    }
    const timer = Number.isFinite(untilMs)
      ? setTimeout(() => stop.abort(), Math.max(0, untilMs - performance.now()))
      : undefined;
    try {
      const first = await taking;
      const isOther = ruling.changed.length > 0;
      const final = { ...event, payload: ruling.payload as Event['payload'] };
      const mark = isOther ? ((await keeper.begin(final, stop.signal)) ?? first) : first;
      return mark === undefined ? ruling : this.#marked(ruling, mark, keeper);
    } finally {
      clearTimeout(timer);
    }
  }

  #marked(ruling: Ruling, mark: NonNullable<Ruling['undo']>, keeper: UndoKeeper): Ruling {
    const marked = { ...ruling, undo: mark };
    if (!('failed' in mark)) return marked;
    const { failed } = mark;
    if (this.#settings?.required === true)
      return {
        ...marked,
        verdict: 'deny',
        reasons: [
          ...ruling.reasons,
          { by: 'undo', text: `no snapshot before the call, and one is required: ${failed}`, broken: true },
        ],
      };
    const line = `anyhook: this call cannot be undone: ${failed}.`;
    return keeper.isNews(failed) ? saying(marked, [line]) : marked;
  }

  /** What hooks of the end change, such as a formatter, belongs to the call. */
  async #afterwards(event: Event, ask: () => Asked): Promise<Ruling> {
    const ruling = (await ask()) ?? silentOutcome(event);
    const keeper = await this.#open();
    const { name } = event;
    if (name === 'session.start') {
      const why = keeper.whyOff();
      return why === undefined ? ruling : saying(ruling, [`anyhook: undo is off in this project: ${why}.`]);
    }
    if (REPORTS_END.has(name)) await keeper.end(event);
    // A stop that a hook refuses continues the turn.
    else if (ENDS_TURN.has(name) && ruling.verdict !== 'deny' && ruling.flow.resume === undefined)
      await keeper.endTurn(event);
    return ruling;
  }

  #open(): Promise<UndoKeeper> {
    return (this.#keeper ??= this.#load());
  }
  async #load(): Promise<UndoKeeper> {
    const { UndoKeeper } = await import('../undo/keeper.ts');
    const { folders, locations, options } = this.#means;
    return new UndoKeeper({
      stores: folders.undo,
      project: locations.cwd,
      home: locations.home,
      agent: options.host.name,
      settings: this.#settings!,
    });
  }
}
