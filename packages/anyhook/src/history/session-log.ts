/** The calls of one session in recorded order. Each call is tested once per rule, so an event costs the same at any length. */

import type { Fields } from '../events/effects.ts';
import type { Event } from '../events/event.ts';
import type { Fit } from '../events/hook.ts';
import type { CallState, CallTest } from '../events/rule.ts';
import { callViews, type LoggedEvent } from './logged-event.ts';
import { resultState } from './result-state.ts';

export interface LoggedCall {
  readonly views: readonly Event[];
  readonly atMs: number;
  readonly cwd: string;
  readonly isPartial: boolean;
  /** Positions in the recorded order of all events. */
  readonly started: number;
  readonly ended?: number;
  readonly state: CallState;
}
type OpenCall = { -readonly [K in keyof LoggedCall]: LoggedCall[K] };

/** A call that fits a test. `isSure`: the matcher could decide. */
export interface PastMatch {
  readonly call: LoggedCall;
  readonly isSure: boolean;
}

/** A call without an id is matched with its result among this many last calls. */
const LOOKED_BACK = 50;

export class SessionLog {
  readonly #calls: OpenCall[] = [];
  readonly #open = new Map<string, OpenCall>();
  readonly #matches = new WeakMap<CallTest, { checked: number; readonly found: PastMatch[] }>();
  #order = 0;
  #lastPrompt = -1;
  #lastFileEdit = -1;
  #revealsResults = false;

  get calls(): readonly LoggedCall[] {
    return this.#calls;
  }
  /** Position of the last prompt, or -1. */
  get lastPrompt(): number {
    return this.#lastPrompt;
  }
  /** Position of the last edit that the agent reported as such, or -1. */
  get lastFileEdit(): number {
    return this.#lastFileEdit;
  }
  /** Whether any result was reported. If not, a started call is all that is known. */
  get revealsResults(): boolean {
    return this.#revealsResults;
  }

  add(event: LoggedEvent): void {
    const order = this.#order++;
    switch (event.name) {
      case 'prompt.submit':
        this.#lastPrompt = order;
        return;
      case 'file.edited':
        this.#lastFileEdit = order;
        return;
      case 'tool.before':
        return this.#start(event, order);
      case 'tool.after':
        this.#revealsResults = true;
        return this.#end(event, order, resultState(event.payload));
      case 'tool.failed':
        this.#revealsResults = true;
        return this.#end(event, order, 'failed');
      case 'tool.denied':
        return this.#end(event, order, 'refused');
      default:
        return;
    }
  }

  /** The calls that fit, oldest first. Tests only calls that are new since the last time. */
  matching(test: CallTest): readonly PastMatch[] {
    let matches = this.#matches.get(test);
    if (matches === undefined) this.#matches.set(test, (matches = { checked: 0, found: [] }));
    for (; matches.checked < this.#calls.length; matches.checked++) {
      const call = this.#calls[matches.checked]!;
      const fit = fitOf(call, test);
      if (fit !== false) matches.found.push({ call, isSure: fit === true });
    }
    return matches.found;
  }

  #start(event: LoggedEvent, started: number): void {
    const { verdict, ids, atMs, scene, isPartial } = event;
    const call: OpenCall = {
      views: callViews(event).map(shortened),
      atMs,
      cwd: scene.cwd,
      isPartial,
      started,
      state: verdict === 'deny' || verdict === 'defer' ? 'refused' : verdict === 'ask' ? 'asked' : 'started',
    };
    this.#calls.push(call);
    if (ids.call !== undefined) this.#open.set(ids.call, call);
  }

  #end(event: LoggedEvent, order: number, state: CallState): void {
    const call = this.#callOf(event);
    if (call === undefined) return this.#endUnknown(event, order, state);
    call.ended = order;
    call.state = state;
  }
  #callOf({ ids, payload }: LoggedEvent): OpenCall | undefined {
    if (ids.call !== undefined) {
      const call = this.#open.get(ids.call);
      this.#open.delete(ids.call);
      return call;
    }
    const wanted = keyOf(payload);
    return this.#calls
      .slice(-LOOKED_BACK)
      .findLast((call) => call.ended === undefined && keyOf(call.views[0]!.payload as Fields) === wanted);
  }
  /** A result without its call: hooks were paused or not yet installed when it started. */
  #endUnknown(event: LoggedEvent, order: number, state: CallState): void {
    const { atMs, scene, isPartial } = event;
    const views = callViews(event).map(shortened);
    this.#calls.push({ views, atMs, cwd: scene.cwd, isPartial, started: order, ended: order, state });
  }
}

const keyOf = ({ tool, input }: Fields): string => JSON.stringify([tool, input]);

/** The best fit of the call and its acts. Missing parts of a record leave the matcher undecided. */
function fitOf({ views, isPartial }: LoggedCall, test: CallTest): Fit {
  let best: Fit = false;
  for (const view of views) {
    const fit = tryFit(test, view);
    if (fit === true) return isPartial ? { opaque: 'parts of the record are missing' } : true;
    if (fit !== false) best = fit;
  }
  return best;
}
function tryFit(test: CallTest, view: Event): Fit {
  try {
    return test(view);
  } catch {
    return { opaque: 'the matcher failed' };
  }
}

const LONGEST_TEXT = 4096;
/** Matchers do not read the contents of files, so a long session does not keep them. */
const CONTENTS: ReadonlySet<string> = new Set(['content', 'old', 'new', 'edits', 'patch']);

function shortened(view: Event): Event {
  const { tool, input } = view.payload as { readonly tool: unknown; readonly input: Fields };
  const isLong = (key: string, value: unknown) =>
    CONTENTS.has(key) && (typeof value !== 'string' || value.length > LONGEST_TEXT);
  if (!Object.entries(input).some(([key, value]) => isLong(key, value))) return view;
  const kept = Object.entries(input).filter(([key, value]) => !isLong(key, value));
  return { ...view, payload: { tool, input: Object.fromEntries(kept) } } as unknown as Event;
}
