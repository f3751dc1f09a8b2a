/**
 * One fire through the layers around it. Most of them have nothing to do with most fires: a layer says itself when it rests,
 * and is then passed by where no hook says anything, until somebody wakes them.
 */
import { slotsByEvent } from '../../canon/by-event.ts';
import type { Event, EventInput } from '../../canon/event.ts';
import { EVENT_NAMES, type EventName } from '../../canon/events.ts';
import { type Outcome, outcomeOf, type Ruling, settled } from '../../canon/outcome.ts';
import { isNothingSaid, nothingSaid } from '../../engine/synchronous.ts';

/** One fire on its way through the layers. A class, so that all of them have one shape. */
export class FireCall {
  declare readonly input: EventInput;
  declare event: Event;
  declare startedMs: number;
  declare isPaused: boolean;
  /** For its shape, as with `OutcomeWith.kept`. */
  static readonly kept = new FireCall({} as EventInput, {} as Event);
  constructor(input: EventInput, event: Event) {
    this.input = input;
    this.event = event;
    this.startedMs = 0;
    this.isPaused = false;
  }
}

export interface FireLayer {
  readonly name: string;
  /** An outcome ends the fire here: hooks are not asked, and only the layers above hear of it. */
  before?(call: FireCall): Ruling | undefined;
  after?(outcome: Ruling, call: FireCall): Ruling;
  /** The engine itself failed: lets go of what `before` took. */
  failed?(call: FireCall): void;
  /**
   * `before` has nothing to do with fires of this event, nor has `after` where no hook says anything; true until the layers
   * are woken. Absent: it never rests.
   */
  rests?(name: EventName): boolean;
}

/** Which layers do not rest, by event, as far as anybody has asked since they were woken. */
export class AwakeLayers {
  readonly #by = slotsByEvent<readonly FireLayer[]>();

  of(name: EventName, layers: readonly FireLayer[]): readonly FireLayer[] {
    return this.#by[name] ?? this.#look(name, layers);
  }
  /** Apart: a closure in there would make every fire keep the name where the closure can find it. */
  #look(name: EventName, layers: readonly FireLayer[]): readonly FireLayer[] {
    return (this.#by[name] = layers.filter((layer) => layer.rests?.(name) !== true));
  }
  /** What a layer rests on may be otherwise now. */
  wake(): void {
    for (const name of EVENT_NAMES) this.#by[name] = null;
  }
}

/** Synchronous as long as the hooks are: a promise is followed only where one was returned. */
export function makeFire(
  layers: readonly FireLayer[],
  awake: AwakeLayers,
  eventOf: (input: EventInput) => Event,
  ask: (call: FireCall) => Ruling | Promise<Ruling> | undefined,
): (input: EventInput) => Promise<Outcome> {
  const finishSilent = (silence: Outcome, call: FireCall): Outcome => {
    const those = awake.of(call.input.name, layers);
    let outcome = silence;
    for (let at = those.length - 1; at >= 0; at--) {
      const layer = those[at]!;
      const next = layer.after?.(outcome, call) ?? outcome;
      if (!isNothingSaid(next)) return finishAbove(layer, next, call);
      outcome = next;
    }
    return outcome;
  };
  /** Something was said: all layers above are asked about it. */
  const finishAbove = (layer: FireLayer | undefined, ruling: Ruling, call: FireCall): Outcome => {
    let outcome = ruling;
    for (let at = (layer === undefined ? layers.length : layers.indexOf(layer)) - 1; at >= 0; at--)
      outcome = layers[at]!.after?.(outcome, call) ?? outcome;
    return outcomeOf(outcome, call.input.name);
  };
  const finish = (ruling: Ruling, call: FireCall): Outcome =>
    isNothingSaid(ruling) ? finishSilent(ruling, call) : finishAbove(undefined, ruling, call);
  const fail = (error: unknown, call: FireCall): Promise<never> => {
    for (const layer of layers) layer.failed?.(call);
    return Promise.reject(error);
  };
  // Apart, so that a fire without promises keeps its variables where they are quickest to reach.
  const follow = (answer: Promise<Ruling>, call: FireCall): Promise<Outcome> =>
    answer.then(
      (ruling) => finish(ruling, call),
      (error: unknown) => fail(error, call),
    );
  return (input) => {
    const call = new FireCall(input, eventOf(input));
    const those = awake.of(input.name, layers);
    // Counted: a loop over what can be iterated is three times the code, and V8 takes only so much into one function.
    for (let at = 0; at < those.length; at++) {
      const layer = those[at]!;
      const refusal = layer.before?.(call);
      if (refusal !== undefined) return settled(finishAbove(layer, refusal, call));
    }
    let answer: ReturnType<typeof ask>;
    try {
      answer = ask(call);
    } catch (error) {
      return fail(error, call);
    }
    if (answer instanceof Promise) return follow(answer, call);
    return settled(finish(answer ?? nothingSaid(call.event), call));
  };
}
