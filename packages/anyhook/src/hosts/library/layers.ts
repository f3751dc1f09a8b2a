/**
 * What happens around every fire, outermost first: `before` goes down the list, then hooks are asked, `after` goes up.
 * Where nobody listens no layer is entered.
 */
import type { Capabilities } from '../../canon/capabilities.ts';
import type { Event, EventInput } from '../../canon/event.ts';
import { type Outcome, outcomeOf, type Ruling } from '../../canon/outcome.ts';
import { decides } from '../../canon/roles.ts';
import { isNothingSaid, nothingSaid } from '../../engine/synchronous.ts';
import { lower } from '../../engine/lower.ts';
import type { makeResumes } from '../../assembly/resumes.ts';
import type { makeLate } from './late.ts';
import { inHostWords } from './event-of.ts';
import type { Nesting } from './nesting.ts';
import type { State } from './open-state.ts';
import type { makeStrayErrors } from './stray-errors.ts';

/** One fire on its way through the layers. A class, so that all of them have one shape. */
export class FireCall {
  readonly input: EventInput;
  event: Event;
  startedMs = 0;
  isPaused = false;
  constructor(input: EventInput, event: Event) {
    this.input = input;
    this.event = event;
  }
}

export interface FireLayer {
  readonly name: string;
  /** An outcome ends the fire here: hooks are not asked, and only the layers above hear of it. */
  before?(call: FireCall): Ruling | undefined;
  after?(outcome: Ruling, call: FireCall): Ruling;
  /** The engine itself failed: lets go of what `before` took. */
  failed?(call: FireCall): void;
}

export interface FireSurroundings {
  readonly state: () => State;
  readonly isClosed: () => boolean;
  readonly isPaused: () => boolean;
  readonly announce: (ruling: Ruling, event: Event, input: EventInput) => Ruling;
  readonly can: Capabilities;
  readonly late: ReturnType<typeof makeLate>;
  readonly strayErrors: ReturnType<typeof makeStrayErrors>;
  readonly resumes: ReturnType<typeof makeResumes>;
  readonly nesting: Nesting;
}

export const fireLayers = (around: FireSurroundings): readonly FireLayer[] => {
  const { state, isClosed, isPaused, announce, can, late, strayErrors, resumes, nesting } = around;
  return [
    {
      name: 'words: the host gets the outcome in its own',
      after: (outcome, { event }) => inHostWords(outcome, event),
    },
    {
      name: 'closed: nothing is asked any more',
      before: ({ event }) => (isClosed() ? unansweredRuling(event, 'the hooks are closed') : undefined),
    },
    {
      name: 'records: what is returned is what was written down',
      before(call) {
        if (state().records !== undefined) call.startedMs = performance.now();
        return undefined;
      },
      after: (outcome, { event, startedMs }) =>
        state().records?.keep(event, outcome, performance.now() - startedMs) ?? outcome,
    },
    {
      name: 'announcements: what was done with the guards meanwhile is said to the person',
      after: (outcome, { event, input }) => announce(outcome, event, input),
    },
    {
      name: 'lowering: what this host cannot do is refused or said',
      after: (outcome, { event }) => (isNothingSaid(outcome) ? outcome : lower(outcome, event, can)),
    },
    {
      name: 'long texts: a preview goes on, the whole lies in a file',
      after: (outcome) => (outcome.said.length === 0 ? outcome : state().shorten(outcome)),
    },
    {
      name: 'late: background hooks and stray errors are heard with the next event that takes them',
      after: (outcome, { event }) => strayErrors.join(late.join(outcome, event), event),
    },
    {
      name: 'resumes: a blocked stop is flagged, and passed on only so often',
      before(call) {
        call.event = resumes.flag(call.event);
        return undefined;
      },
      after: (outcome, { event }) => resumes.cap(outcome, event),
    },
    {
      name: 'nesting: no hook waits for itself, none fires without end',
      before({ input, event }) {
        const why = nesting.enter(input);
        return why === '' ? undefined : unansweredRuling(event, why);
      },
      after(outcome, { input }) {
        nesting.leave(input);
        return outcome;
      },
      failed: ({ input }) => nesting.leave(input),
    },
    {
      name: 'pause: the person has switched hooks off for a while',
      before(call) {
        call.isPaused = isPaused();
        return undefined;
      },
      after: (outcome, call) => (call.isPaused ? { ...outcome, paused: true } : outcome),
    },
  ];
};

type After = NonNullable<FireLayer['after']>;
type Before = NonNullable<FireLayer['before']>;

/** Synchronous as long as the hooks are: a promise is followed only where one was returned. */
export function makeFire(
  layers: readonly FireLayer[],
  eventOf: (input: EventInput) => Event,
  ask: (call: FireCall) => Ruling | Promise<Ruling> | undefined,
): (input: EventInput) => Promise<Outcome> {
  const down = downThrough(layers);
  const up = upThrough(layers);
  const fail = (error: unknown, call: FireCall): Promise<never> => {
    for (const layer of layers) layer.failed?.(call);
    return Promise.reject(error);
  };
  // Apart, so that a fire without promises keeps its variables where they are quickest to reach.
  const follow = (answer: Promise<Ruling>, call: FireCall): Promise<Outcome> =>
    answer.then(
      (ruling) => outcomeOf(up(ruling, call), call.input.name),
      (error: unknown) => fail(error, call),
    );
  return (input) => {
    const call = new FireCall(input, eventOf(input));
    const refusal = down(call);
    if (refusal !== undefined) return Promise.resolve(outcomeOf(refusal, input.name));
    let answer: ReturnType<typeof ask>;
    try {
      answer = ask(call);
    } catch (error) {
      return fail(error, call);
    }
    if (answer instanceof Promise) return follow(answer, call);
    return Promise.resolve(outcomeOf(up(answer ?? nothingSaid(call.event), call), input.name));
  };
}

/** What a layer answers in place of the hooks goes up from there. */
function downThrough(layers: readonly FireLayer[]): Before {
  const entered = layers.filter(({ before }) => before !== undefined);
  const ups = entered.map((layer) => upThrough(layers.slice(0, layers.indexOf(layer))));
  const [a = goOn, b = goOn, c = goOn, d = goOn, e = goOn, ...more] = entered.map(({ before }) => before!);
  if (more.length > 0) throw new RangeError(WRITTEN_OUT);
  const end = (refusal: Ruling | undefined, at: number, call: FireCall) =>
    refusal === undefined ? undefined : ups[at]!(refusal, call);
  return (call) =>
    end(a(call), 0, call) ??
    end(b(call), 1, call) ??
    end(c(call), 2, call) ??
    end(d(call), 3, call) ??
    end(e(call), 4, call);
}

function upThrough(layers: readonly FireLayer[]): After {
  const afters = layers.flatMap(({ after }) => after ?? []).toReversed();
  const [a = asIs, b = asIs, c = asIs, d = asIs, e = asIs, f = asIs, g = asIs, h = asIs, i = asIs, ...more] =
    afters;
  if (more.length > 0) throw new RangeError(WRITTEN_OUT);
  return (outcome, call) =>
    i(h(g(f(e(d(c(b(a(outcome, call), call), call), call), call), call), call), call), call);
}
const goOn: Before = () => undefined;
const asIs: After = (outcome) => outcome;
/** A loop would call every layer from one place, which cannot be inlined: a third more for a fire with ten hooks. */
const WRITTEN_OUT = 'the calls of the layers are written out: write out one more';

/** No hook could be asked. That is no consent: refused where something can be refused, and said where nothing can. */
export function unansweredRuling(event: Event, why: string): Ruling {
  const silence = nothingSaid(event);
  if (!decides(event.name)) return { ...silence, lost: [`no hook was asked: ${why}`] };
  return { ...silence, verdict: 'deny', reasons: [{ by: 'host', text: why, broken: true }] };
}
