import type { Effect, Fields, Gift, FlowKind, Verdict } from './effects.ts';
import type { EventName, Payload } from './events.ts';
import type { HookFailure, Notes } from './exchange.ts';
import type { GiftValue } from './gifts.ts';
import { decide, type Proceed, UNANSWERED } from './proceed.ts';

/** The answer of one hook. If `failed` is set, the hook broke and its policy decides what that means. */
export interface Answer {
  readonly effects: readonly Effect[];
  readonly failed?: HookFailure;
  /**
   * In the hook's own agent, this answer ends the event for the hooks after it. Applies with
   * `modules.seedStrict`.
   */
  readonly endsTurn?: true;
  readonly notes?: Notes;
  /** Text that the hook printed besides its answer, kept for `why`. */
  readonly printed?: string;
  /** How the process of a broken hook ended. */
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
  /** Why the hook did not run, or was not waited for. */
  readonly skipped?: string;
  /** For a background hook: identifies the start and the end of one run. */
  readonly late?: string;
  /** Exit code of a finished background program. */
  readonly code?: number;
  readonly answer?: Answer;
  /** The value that the answer applies to: what the hook saw plus its own change. */
  readonly judged?: Fields;
  /** The hook broke, and neither its output nor its policy stops the action. */
  readonly failedOpen?: true;
  readonly ignored?: readonly IgnoredEffect[];
}

/** What a call has to do with the refusals that a session remembers. */
export type Sticky =
  /** This refusal is remembered. */
  | {
      readonly kind: 'remembered';
      readonly by: string;
      /** What the call would have done, such as `delete /p/build`. */
      readonly acts: readonly string[];
      /** Identifies exactly this call. */
      readonly call: string;
      /** It depends only on the call, or the user gave it. Asking the hook again changes nothing. */
      readonly isFinal?: true;
    }
  /** The call repeats a refused one. If it was not refused again, the refusal no longer counts. */
  | { readonly kind: 'repeated'; readonly by: string; readonly atMs: number; readonly times: number };

type By<T> = { readonly by: string } & Readonly<T>;

/** The merged effects of all hooks, before an outcome is built from them. */
export interface Ruling {
  /** none: no hook refused or approved; the host proceeds as usual. */
  readonly verdict: Verdict | 'none';
  /** `broken`: the refusal comes from a failure, not from an answer. */
  readonly reasons: readonly By<{ text: string; broken?: true }>[];
  /** The payload that should run. */
  readonly payload: Fields;
  readonly changed: readonly By<{ at: string }>[];
  /** Hooks whose approval was for another value. */
  readonly voided: readonly string[];
  readonly said: readonly By<{ to: 'model' | 'person'; text: string }>[];
  readonly given: readonly By<{ what: Gift; value: unknown }>[];
  /** Reasons by flow effect. */
  readonly flow: Readonly<Partial<Record<FlowKind, string>>>;
  /** What this host cannot do. */
  readonly lost: readonly string[];
  readonly runs: readonly Run[];
  /** Hooks of this event whose matcher does not fit the subject. */
  readonly unmatched: readonly string[];
  readonly aborted: boolean;
  /** The user has paused hooks. */
  readonly paused?: true;
  /** The user was asked about the call and answered, or has not answered in time. */
  readonly approval?: Approval;
  readonly sticky?: Sticky;
  /** The snapshot that was taken before the call, if undo is on. */
  readonly undo?: UndoMark;
}

/** `failed`: there is no snapshot, and why. Otherwise its id, the tree of the project, and how many paths were left out. */
export type UndoMark =
  | { readonly id: string; readonly snapshot: string; readonly leftOut?: number }
  | { readonly failed: string };

export interface Approval {
  /** Identifies the exact call. */
  readonly hash: string;
  /** `waiting`: not answered in time, so the call was refused and may be tried again. */
  readonly kind: 'once' | 'session' | 'refuse' | 'waiting';
  readonly who?: string;
  /** Such as `terminal`, `view` or `fleet`. */
  readonly where?: string;
  readonly waitedMs: number;
}

const NONE: readonly never[] = Object.freeze([]);
const NO_FLOW: Ruling['flow'] = Object.freeze({});

/** The payload is typed if the event is known. */
export type Outcome<E extends EventName = EventName> = OutcomeWith<
  [EventName] extends [E] ? Fields : Payload<E>
>;

/**
 * The outcome that a host gets: the ruling plus values that are ready to use. It is a class so that a spread
 * copy is not assignable (it lacks `gift`) and must go through `outcomeOf` again. `proceed` therefore never
 * contradicts the rest.
 */
export class OutcomeWith<P extends Fields> {
  /**
   * Whether the announced action may happen. At an end (`turn.stop`), `no` means to continue, with `reason`.
   */
  declare readonly proceed: Proceed;
  /** The reasons as one text for the model. Empty only if no hook stops anything or gives a reason. */
  declare readonly reason: string;
  /** The payload that should run. */
  declare readonly payload: P;
  /** Texts for the model, in order. */
  declare readonly forModel: readonly string[];
  /** Texts for the user, in order. */
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
  declare readonly approval?: Approval;
  declare readonly sticky?: Sticky;
  declare readonly undo?: UndoMark;

  /** An outcome without any effect. */
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

  /**
   * Whether the action may happen without asking. For conditions, because `proceed` is a string and `'no'` is
   * truthy.
   */
  get allowed(): boolean {
    return this.proceed === 'yes';
  }

  /** Returns the value that hooks supplied in place of the host's own. The last one wins. */
  get gift(): <G extends Gift>(what: G) => GiftValue<G> | undefined {
    // The type is safe: a value that does not fit its row was rejected earlier.
    return (what) => this.given.findLast((one) => one.what === what)?.value as GiftValue<typeof what>;
  }
}

/** Returns true if hooks changed this field or a part of it. */
export const wasChanged = ({ changed }: Ruling, field: string): boolean =>
  changed.some(({ at }) => at === field || at.startsWith(`${field}.`));

/** Builds the outcome. The only place that does, after the ruling is final. */
export const outcomeOf = (ruling: Ruling, name: EventName): Outcome =>
  ruling instanceof OutcomeWith ? ruling : decided(ruling, name);

function decided(ruling: Ruling, name: EventName): Outcome {
  const { proceed, reason } = decide(ruling, name);
  const textsTo = (whom: 'model' | 'person') =>
    ruling.said.flatMap(({ to, text }) => (to === whom ? [text] : []));
  const made = { proceed, reason, forModel: textsTo('model'), forPerson: textsTo('person') };
  return Object.assign(new OutcomeWith(ruling.payload, proceed), ruling, made);
}

/** Returns the outcome of an event without any hook answers. */
export const silentOutcome = ({
  name,
  payload,
}: {
  readonly name: EventName;
  readonly payload: Fields;
}): Outcome => new OutcomeWith(payload, UNANSWERED[name]);
