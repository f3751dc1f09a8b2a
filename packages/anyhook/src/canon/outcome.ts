import type { Effect, Fields, Gift, Turn, Verdict } from './effects.ts';
import type { Breakage, Notes } from './exchange.ts';

/** What one hook said. `failed`: it broke; policy says what that means. */
export interface Answer {
  readonly effects: readonly Effect[];
  readonly failed?: Breakage;
  readonly notes?: Notes;
  /** What it printed beside its answer, kept for `why`. */
  readonly printed?: string;
}

export interface Ignored {
  readonly effect: Effect;
  readonly why: string;
}

/** The record of one hook in one fire. */
export interface Run {
  readonly hook: string;
  readonly round: 1 | 2;
  readonly ms: number;
  /** Why it did not run. */
  readonly skipped?: string;
  readonly answer?: Answer;
  /** The value the answer is about: what it saw plus its own change. */
  readonly judged?: Fields;
  /** It broke, and nothing it said or its policy says holds the action back. */
  readonly failedOpen?: true;
  readonly ignored?: readonly Ignored[];
}

type By<T> = { readonly by: string } & Readonly<T>;

/** What all hooks together ask for. */
export interface Outcome {
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
  readonly flow: Readonly<Partial<Record<Turn, string>>>;
  /** What this host cannot do. */
  readonly lost: readonly string[];
  readonly runs: readonly Run[];
  /** Hooks of this event whose matcher does not fit what it is about. */
  readonly unmatched: readonly string[];
  readonly aborted: boolean;
  /** The person switched hooks off for a while. */
  readonly paused?: true;
}
