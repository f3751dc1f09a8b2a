/**
 * Collects the answers of hooks to one event and merges their effects. Folds by kind of effect and never
 * branches on the event name.
 */

import { apply, collide, diff, same } from '../events/changes.ts';
import {
  type Change,
  type Effect,
  type EffectKind,
  type EffectOf,
  type Fields,
  REFUSALS,
  STRICTNESS,
  tightens,
  type FlowKind,
  type Verdict,
} from '../events/effects.ts';
import type { Event } from '../events/event.ts';
import { type EventName, rowOf } from '../events/events.ts';
import { type Hook, isOrganisations, label } from '../events/hook.ts';
import type { Nearest } from '../events/nearest.ts';
import type { Answer, IgnoredEffect, Ruling, Run } from '../events/outcome.ts';
import { isRepeated, type Wish } from '../events/repeated.ts';
import { decides, onlyWatches } from '../events/roles.ts';
import { SHADOW } from '../events/would-have.ts';
import { repeatsAddition } from './additions.ts';
import type { EventPlan } from './plan.ts';

/** The answer of one hook to one view of the event. */
export interface HookAnswer {
  readonly hook: Hook;
  /** The event as the hook knows it. */
  readonly knownAs: EventName;
  readonly shown: Fields;
  /** Converts the hook's changes to fields of the fired event. Absent if the fields are the same. */
  readonly toFired?: Nearest['toFired'];
  readonly answer: Answer;
  readonly ms: number;
  readonly failedOpen: boolean;
  /** Exit code of a background hook's program. */
  readonly code?: number;
}
interface Vote {
  readonly by: string;
  readonly kind: Verdict;
  readonly text: string;
  readonly about: Fields;
  readonly broken: boolean;
}
type Stands = (kind: EffectKind) => boolean;
/** Effects of an answer that count, and the reasons why the others do not. */
interface Weighed {
  readonly counts: readonly Effect[];
  readonly ignored: IgnoredEffect[];
}
const allStand: Stands = () => true;
const NOTHING_WEIGHED: Weighed = { counts: [], ignored: [] };
type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** In round 2 only effects about the final value count. Texts and gifts were taken in round 1. */
const JUDGES: ReadonlySet<EffectKind> = new Set<EffectKind>(['allow', 'set', ...REFUSALS]);
const PUSHED_ASIDE = 'another answer stands';
const DONE_BEFORE = 'has done so already';
const WATCHERS_MAY: ReadonlySet<EffectKind> = new Set<EffectKind>(['context', 'notice']);

export class Tally {
  readonly #event: Event;
  readonly #place: EventPlan['place'];
  readonly #allShadow: boolean;
  #value: Fields;
  #isContested = false;
  readonly #kinds = new Set<EffectKind>();
  readonly #applied: Change[] = [];
  readonly #runs: Run[] = [];
  readonly #votes: Vote[] = [];
  /** Per hook: the payload before and after its changes in round 1. */
  readonly #wishes = new Map<string, Wish>();
  readonly #flow: Partial<Record<FlowKind, string>> = {};
  readonly #changed: Ruling['changed'][number][] = [];
  readonly #said: Ruling['said'][number][] = [];
  readonly #given: Ruling['given'][number][] = [];

  constructor(event: Event, place: EventPlan['place'], { allShadow }: { readonly allShadow: boolean }) {
    this.#event = event;
    this.#place = place;
    this.#allShadow = allShadow;
    this.#value = event.payload;
  }

  get value(): Fields {
    return this.#value;
  }
  /** Number of changes made so far. */
  get mark(): number {
    return this.#applied.length;
  }
  /** True if a hook wanted to change the value, whether or not its change was applied. */
  get contested(): boolean {
    return this.#isContested || this.#applied.length > 0;
  }
  has(kinds: readonly EffectKind[]): boolean {
    return kinds.some((kind) => this.#kinds.has(kind));
  }
  counting(hookAnswer: HookAnswer): readonly Effect[] {
    return this.#weigh(hookAnswer).counts;
  }
  after(view: Fields, hookAnswer: HookAnswer): Fields {
    return changedBy(view, this.#weigh(hookAnswer).counts);
  }
  collides(hookAnswer: HookAnswer, mark: number): boolean {
    return changes(this.#weigh(hookAnswer).counts).some((a) =>
      this.#applied.slice(mark).some((b) => hookAnswer.toFired !== undefined || collide(a, b)),
    );
  }
  judged(hook: Hook, about: Fields): boolean {
    return this.#runs.some(
      (run) => run.hook === hook.id && run.judged !== undefined && same(run.judged, about),
    );
  }
  skip(hook: Hook, why: string): void {
    this.#runs.push({ hook: hook.id, round: 1, ms: 0, skipped: why });
  }
  /** Records a background start. Its end is recorded later under `late`. */
  detach(hook: Hook, late: string): void {
    this.#runs.push({ hook: hook.id, round: 1, ms: 0, skipped: 'in the background', late });
  }

  /**
   * Merges an answer. In round 2 the value no longer changes: a hook that still wants a change raises a
   * question, unless it only repeats its earlier change.
   */
  take(hookAnswer: HookAnswer, round: 1 | 2, stands?: Stands): void {
    if (hookAnswer.answer.effects.length === 0)
      return this.#note(hookAnswer, round, hookAnswer.shown, NOTHING_WEIGHED);
    const { counts, ignored } = this.#weigh(hookAnswer, round, stands);
    const aside = ignored.filter(({ why }) => why === PUSHED_ASIDE).map(({ effect }) => effect);
    if (changes(aside).length > 0) this.#isContested = true;
    const judged = round === 1 ? changedBy(hookAnswer.shown, [...counts, ...aside]) : hookAnswer.shown;
    // An approval covers the call with all changes in the same answer, applied or not.
    const meant = this.#inShadow(hookAnswer.hook)
      ? hookAnswer.shown
      : changedBy(hookAnswer.shown, hookAnswer.answer.effects);
    const wish: Wish = { shown: hookAnswer.shown, wanted: changedBy(hookAnswer.shown, counts) };
    const first = this.#wishes.get(hookAnswer.hook.id);
    const isDone =
      round === 2 &&
      first !== undefined &&
      (isRepeated(first, wish) || repeatsAddition(first, wish, hookAnswer.knownAs));
    if (round === 1 && wish.shown !== wish.wanted) this.#wishes.set(hookAnswer.hook.id, wish);
    const inFired =
      round === 1 && hookAnswer.toFired !== undefined ? this.#inFired(wish, hookAnswer.toFired) : undefined;
    for (const change of inFired ?? []) this.#fold(change, hookAnswer, meant);
    for (const effect of counts)
      if (inFired !== undefined && effect.kind === 'set') {
        if (inFired.length === 0) ignored.push({ effect, why: 'cannot be done at this event' });
      } else if (round === 1 || effect.kind !== 'set') {
        this.#kinds.add(effect.kind);
        this.#fold(effect, hookAnswer, meant);
      } else if (!same(apply(judged, [effect]), judged)) {
        if (isDone) ignored.push({ effect, why: DONE_BEFORE });
        else this.#voteAgain(hookAnswer, meant);
      }
    this.#note(hookAnswer, round, judged, { counts, ignored });
  }

  outcome(unmatched: readonly string[], aborted: boolean): Ruling {
    if (aborted && decides(this.#event.name))
      this.#votes.push({ by: 'host', kind: 'deny', text: 'aborted', about: this.#value, broken: true });
    // An approval counts only for the exact value that will run.
    const counted = this.#votes.filter((v) => v.kind !== 'allow' || same(v.about, this.#value));
    const verdict = counted.reduce<Ruling['verdict']>(
      (so, { kind }) => (so === 'none' || STRICTNESS[kind] > STRICTNESS[so] ? kind : so),
      'none',
    );
    const place = this.#place;
    return {
      verdict,
      reasons: distinct(
        counted
          .filter((v) => v.kind === verdict)
          .map(({ by, text, broken }) => (broken ? { by, text, broken } : { by, text })),
      ),
      payload: this.#value,
      changed: this.#changed,
      voided: distinct(this.#votes.filter((v) => !counted.includes(v)).map((v) => v.by)),
      said: this.#said.filter((s) => verdict !== 'deny' || s.to === 'person'),
      given: this.#given,
      flow: this.#flow,
      lost: [],
      runs: this.#runs.sort((a, b) => a.round - b.round || place(a.hook) - place(b.hook)),
      unmatched: withoutLate(unmatched, this.#runs),
      aborted,
    };
  }

  /** One line per kind; the compiler reports a missing kind. */
  static readonly #FOLD: {
    readonly [K in EffectKind]: (
      tally: Tally,
      effect: EffectOf<K>,
      hookAnswer: HookAnswer,
      about: Fields,
    ) => void;
  } = {
    allow: (tally, effect, hookAnswer, about) => tally.#vote(effect, hookAnswer, about),
    ask: (tally, effect, hookAnswer, about) => tally.#vote(effect, hookAnswer, about),
    defer: (tally, effect, hookAnswer, about) => tally.#vote(effect, hookAnswer, about),
    deny: (tally, effect, hookAnswer, about) => tally.#vote(effect, hookAnswer, about),
    halt: (tally, effect) => tally.#turn(effect),
    cancel: (tally, effect) => tally.#turn(effect),
    resume: (tally, effect) => tally.#turn(effect),
    retry: (tally, effect) => tally.#turn(effect),
    set: (tally, effect, { hook }) => tally.#set(effect, hook),
    context: (tally, { text }, { hook }) => void tally.#said.push({ by: hook.id, to: 'model', text }),
    notice: (tally, { text }, { hook }) => void tally.#said.push({ by: hook.id, to: 'person', text }),
    give: (tally, { what, value }, { hook }) => void tally.#given.push({ by: hook.id, what, value }),
  };
  #fold(effect: Effect, hookAnswer: HookAnswer, about: Fields): void {
    Tally.#FOLD[effect.kind](this, effect as never, hookAnswer, about); // the table is indexed by the effect's own kind
  }
  #vote({ kind, reason = '' }: EffectOf<Verdict>, { hook, answer }: HookAnswer, about: Fields): void {
    this.#votes.push({ by: hook.id, kind, text: reason, about, broken: answer.failed !== undefined });
  }
  #voteAgain(hookAnswer: HookAnswer, about: Fields): void {
    this.#vote(
      { kind: 'ask', reason: `${label(hookAnswer.hook)} wants to change the call again` },
      hookAnswer,
      about,
    );
  }
  #turn(effect: EffectOf<FlowKind>): void {
    this.#flow[effect.kind] ??= effect.reason ?? '';
  }
  #set(change: Change, { id }: Hook): void {
    const next = apply(this.#value, [change]);
    if (same(this.#value, next)) return;
    this.#changed.push({ by: id, at: change.at.join('.') });
    this.#applied.push(change);
    this.#value = next;
  }
  #note(hookAnswer: HookAnswer, round: 1 | 2, judged: Fields, { counts, ignored }: Weighed): void {
    const run: Mutable<Run> = {
      hook: hookAnswer.hook.id,
      round,
      ms: hookAnswer.ms,
      answer: hookAnswer.answer,
      judged,
    };
    if (hookAnswer.answer.failed !== undefined && !counts.some(tightens)) run.failedOpen = true;
    if (ignored.length > 0) run.ignored = ignored;
    this.#runs.push(run);
  }

  #weigh(hookAnswer: HookAnswer, round: 1 | 2 = 1, stands: Stands = allStand): Weighed {
    if (hookAnswer.answer.effects.length === 0) return NOTHING_WEIGHED;
    const counts: Effect[] = [];
    const ignored: IgnoredEffect[] = [];
    for (const effect of hookAnswer.answer.effects) {
      const why = this.#objection(effect, hookAnswer, round, stands);
      if (why === '') counts.push(effect);
      else ignored.push({ effect, why });
    }
    return { counts, ignored };
  }
  /** Returns why an effect does not count, or an empty string if it does. */
  #objection(effect: Effect, hookAnswer: HookAnswer, round: 1 | 2, stands: Stands): string {
    const { hook, knownAs } = hookAnswer;
    const { kind } = effect;
    const { name } = this.#event;
    if (this.#inShadow(hook)) return SHADOW;
    // A hook of an event that the host lacks can do no more than the event fired in its place allows.
    const rows = knownAs === name ? [rowOf(knownAs)] : [rowOf(knownAs), rowOf(name)];
    if (rows.some((row) => !row.effects.includes(kind))) return 'does not count on this event';
    const fields = hookAnswer.toFired === undefined ? rows : rows.slice(0, 1);
    if (kind === 'set' && fields.some((row) => !row.mutable.includes(effect.at[0])))
      return 'may not be changed';
    if (kind === 'give' && rows.some((row) => row.gives?.includes(effect.what) !== true))
      return 'is no gift for this event';
    if (onlyWatches(hook.roles) && !WATCHERS_MAY.has(kind)) return 'an observer only watches';
    if (kind === 'allow' && !hook.roles.includes('guard')) return 'only a guard approves';
    if (!stands(kind) && !REFUSALS.has(kind)) return PUSHED_ASIDE;
    const repeats = round === 2 && this.#runs.some((run) => run.hook === hook.id && run.answer !== undefined);
    return repeats && !JUDGES.has(kind) ? 'said before' : '';
  }
  #inShadow(hook: Hook): boolean {
    return hook.shadow || (this.#allShadow && !isOrganisations(hook));
  }
  /** Converts the changes of a hook of another event to changes of the fired event. */
  #inFired({ shown, wanted }: Wish, toFired: NonNullable<Nearest['toFired']>): Change[] {
    const value = this.#value;
    const [was, will] = [toFired(shown as Fields, value), toFired(wanted as Fields, value)];
    return Object.keys(will).flatMap((field) =>
      same(was[field], will[field]) ? [] : diff(field, value[field], will[field]),
    );
  }
}

const changes = (effects: readonly Effect[]) => effects.filter((effect) => effect.kind === 'set');
const changedBy = (view: Fields, effects: readonly Effect[]): Fields => {
  const wanted = changes(effects);
  return wanted.length === 0 ? view : apply(view, wanted);
};

const distinct = <T>(all: readonly T[]): T[] =>
  all.filter((item, i) => all.findIndex((other) => same(item, other)) === i);

/** A hook that ran in round 2 matched the final value, so it is no longer unmatched. */
function withoutLate(unmatched: readonly string[], runs: readonly Run[]): readonly string[] {
  const late = new Set(runs.filter((run) => run.round === 2).map((run) => run.hook));
  return late.size === 0 ? unmatched : unmatched.filter((id) => !late.has(id));
}
