import type { Effect, Fields, Gift, FlowKind, Verdict } from './effects.ts';
import type { GiftValue } from './gifts.ts';
import type { EventName, Payload } from './events.ts';
import type { HookFailure, Notes } from './exchange.ts';
import { decide, type Proceed, UNANSWERED } from './proceed.ts';

/** What one hook said. `failed`: it broke; policy says what that means. */
export interface Answer {
  readonly effects: readonly Effect[];
  readonly failed?: HookFailure;
  /** In the hook's own agent this answer ends the event for the hooks behind it. Counts with `modules.seedStrict`. */
  readonly endsTurn?: true;
  readonly notes?: Notes;
  /** What it printed beside its answer, kept for `why`. */
  readonly printed?: string;
  /** How the process of a hook that broke came to its end. */
  readonly ending?: Ending;
}

export interface Ending {
  readonly code?: number;
  readonly signal?: string;
  readonly stderr?: string;
}

export interface IgnoredEffect {
  readonly effect: Effect;
  readonly why: string;
}

/** The record of one hook in one fire. */
export interface Run {
  readonly hook: string;
  readonly round: 1 | 2;
  readonly ms: number;
  /** Why it did not run, or was not waited for. */
  readonly skipped?: string;
  /** Of a background hook: by this word its start and its end are known as one run. */
  readonly late?: string;
  /** Of a background hook that was a program and has ended. */
  readonly code?: number;
  readonly answer?: Answer;
  /** The value the answer is about: what it saw plus its own change. */
  readonly judged?: Fields;
  /** It broke, and nothing it said or its policy says holds the action back. */
  readonly failedOpen?: true;
  readonly ignored?: readonly IgnoredEffect[];
}

type By<T> = { readonly by: string } & Readonly<T>;

/** What all hooks together ask for, in its parts: what the engine merges, and every step on the way out hands on. */
export interface Ruling {
  /** none: nobody refused, nobody approved; the host goes its usual way. */
  readonly verdict: Verdict | 'none';
  /** `broken`: the refusal is a failure, not an answer. */
  readonly reasons: readonly By<{ text: string; broken?: true }>[];
  /** What should really run. */
  readonly payload: Fields;
  readonly changed: readonly By<{ at: string }>[];
  /** Hooks whose approval was for something else. */
  readonly voided: readonly string[];
  readonly said: readonly By<{ to: 'model' | 'person'; text: string }>[];
  readonly given: readonly By<{ what: Gift; value: unknown }>[];
  /** Reasons, by what shall happen to the flow. */
  readonly flow: Readonly<Partial<Record<FlowKind, string>>>;
  /** What this host cannot do. */
  readonly lost: readonly string[];
  readonly runs: readonly Run[];
  /** Hooks of this event whose matcher does not fit what it is about. */
  readonly unmatched: readonly string[];
  readonly aborted: boolean;
  /** The person switched hooks off for a while. */
  readonly paused?: true;
}

const NONE: readonly never[] = Object.freeze([]);
const NO_FLOW: Ruling['flow'] = Object.freeze({});

/** Its payload is typed by the event, where it is known which one was fired. */
export type Outcome<E extends EventName = EventName> = OutcomeWith<
  [EventName] extends [E] ? Fields : Payload<E>
>;

/**
 * What a host gets: the parts, and what it needs of them ready to use. A class, so that a copy with other parts is no
 * outcome any more (`gift` is missing) until `outcomeOf` has decided anew: `proceed` can not be out of date.
 */
export class OutcomeWith<P extends Fields> {
  /** May what the event announces happen? At an end (`turn.stop`), no means: go on, with `reason`. */
  declare readonly proceed: Proceed;
  /** Why, in one text for the model. Empty only where nobody stops anything and nobody gave a reason. */
  declare readonly reason: string;
  /** What should really run. */
  declare readonly payload: P;
  /** Texts for the model, in order. */
  declare readonly forModel: readonly string[];
  /** Texts for the person, in order. */
  declare readonly forPerson: readonly string[];
  declare readonly verdict: Ruling['verdict'];
  declare readonly reasons: Ruling['reasons'];
  declare readonly changed: Ruling['changed'];
  declare readonly voided: Ruling['voided'];
  declare readonly said: Ruling['said'];
  declare readonly given: Ruling['given'];
  declare readonly flow: Ruling['flow'];
  declare readonly lost: Ruling['lost'];
  declare readonly runs: Ruling['runs'];
  declare readonly unmatched: Ruling['unmatched'];
  declare readonly aborted: boolean;
  declare readonly paused?: true;

  /** Nobody refused, nobody approved, nobody changed anything. */
  constructor(payload: P, proceed: Proceed) {
    this.proceed = proceed;
    this.reason = '';
    this.payload = payload;
    this.forModel = NONE;
    this.forPerson = NONE;
    this.verdict = 'none';
    this.reasons = NONE;
    this.changed = NONE;
    this.voided = NONE;
    this.said = NONE;
    this.given = NONE;
    this.flow = NO_FLOW;
    this.lost = NONE;
    this.runs = NONE;
    this.unmatched = NONE;
    this.aborted = false;
  }

  /** May it happen without asking? For conditions: `proceed` is a string, and also `'no'` is truthy. */
  get allowed(): boolean {
    return this.proceed === 'yes';
  }

  /** What hooks hand over in place of what the host would make itself. Of several, the last. */
  get gift(): <G extends Gift>(what: G) => GiftValue<G> | undefined {
    // In its type: what does not fit the gift's row has failed before it was counted.
    return (what) => this.given.findLast((one) => one.what === what)?.value as GiftValue<typeof what>;
  }
}

/** Did hooks change this field, or something in it? */
export const wasChanged = ({ changed }: Ruling, field: string): boolean =>
  changed.some(({ at }) => at === field || at.startsWith(`${field}.`));

/** The one place where an outcome is decided: when its parts are final. */
export const outcomeOf = (ruling: Ruling, name: EventName): Outcome =>
  ruling instanceof OutcomeWith ? ruling : decided(ruling, name);

function decided(ruling: Ruling, name: EventName): Outcome {
  const { proceed, reason } = decide(ruling, name);
  const textsTo = (whom: 'model' | 'person') =>
    ruling.said.flatMap(({ to, text }) => (to === whom ? [text] : []));
  const made = { proceed, reason, forModel: textsTo('model'), forPerson: textsTo('person') };
  return Object.assign(new OutcomeWith(ruling.payload, proceed), ruling, made);
}

/** The outcome of an event about which no hook has anything to say. */
export const silentOutcome = ({
  name,
  payload,
}: {
  readonly name: EventName;
  readonly payload: Fields;
}): Outcome => new OutcomeWith(payload, UNANSWERED[name]);
