/** What has been answered so far in one fire. Folds by kind of effect, never by event. */
import { apply, collide, diff, same } from '../canon/changes.ts';
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
} from '../canon/effects.ts';
import type { Event } from '../canon/event.ts';
import { type EventName, rowOf } from '../canon/events.ts';
import { type Hook, isOrganisations, label } from '../canon/hook.ts';
import type { Answer, IgnoredEffect, Ruling, Run } from '../canon/outcome.ts';
import { isRepeated, type Wish } from '../canon/repeated.ts';
import type { Nearest } from '../canon/nearest.ts';
import { decides, onlyWatches } from '../canon/roles.ts';
import { SHADOW } from '../canon/would-have.ts';
import { tellsAgain } from './additions.ts';
import type { EventPlan } from './plan.ts';

/** One hook's answer about what it was shown. */
export interface HookAnswer {
  readonly hook: Hook;
  /** The event as the hook knows it. */
  readonly as: EventName;
  readonly shown: Fields;
  /** Its changes as fields of the event that was fired; absent: they are. */
  readonly back?: Nearest['back'];
  readonly answer: Answer;
  readonly ms: number;
  readonly failedOpen: boolean;
  /** How its program ended. */
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
type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** In round 2 only effects about the final value count; texts and gifts were taken in round 1. */
const JUDGES: ReadonlySet<EffectKind> = new Set<EffectKind>(['allow', 'set', ...REFUSALS]);
const PUSHED_ASIDE = 'another answer stands';
const DONE_BEFORE = 'has done so already';
const WATCHERS_MAY: ReadonlySet<EffectKind> = new Set<EffectKind>(['context', 'notice']);

export type Tally = ReturnType<typeof openTally>;

export function openTally(event: Event, place: EventPlan['place'], allShadow: boolean) {
  let value = event.payload as Fields;
  let contested = false;
  const seen = new Set<EffectKind>();
  const applied: Change[] = [];
  const runs: Run[] = [];
  const votes: Vote[] = [];
  /** What each hook made of what it was shown, where that counted. */
  const wishes = new Map<string, Wish>();
  const flow: Partial<Record<FlowKind, string>> = {};
  const changed: Ruling['changed'][number][] = [];
  const said: Ruling['said'][number][] = [];
  const given: Ruling['given'][number][] = [];

  /** One line per kind: a new kind will not compile until it has its line here. */
  const FOLD: { [K in EffectKind]: (effect: EffectOf<K>, one: HookAnswer, about: Fields) => void } = {
    allow: vote,
    ask: vote,
    defer: vote,
    deny: vote,
    halt: turn,
    cancel: turn,
    resume: turn,
    retry: turn,
    set(effect, { hook }) {
      const next = apply(value, [effect]);
      if (same(value, next)) return;
      changed.push({ by: hook.id, at: effect.at.join('.') });
      applied.push(effect);
      value = next;
    },
    context: (effect, { hook }) => void said.push({ by: hook.id, to: 'model', text: effect.text }),
    notice: (effect, { hook }) => void said.push({ by: hook.id, to: 'person', text: effect.text }),
    give: (effect, { hook }) => void given.push({ by: hook.id, what: effect.what, value: effect.value }),
  };
  function vote(effect: EffectOf<Verdict>, { hook, answer }: HookAnswer, about: Fields): void {
    votes.push({
      by: hook.id,
      kind: effect.kind,
      text: effect.reason ?? '',
      about,
      broken: answer.failed !== undefined,
    });
  }
  function turn(effect: EffectOf<FlowKind>): void {
    flow[effect.kind] ??= effect.reason ?? '';
  }

  /** Why an effect does not count; the empty string when it does. */
  function objection(effect: Effect, one: HookAnswer, round: 1 | 2, stands: Stands): string {
    const { hook, as } = one;
    const { kind } = effect;
    if (inShadow(hook)) return SHADOW;
    // An event the host lacks can do no more than the one that is really fired in its place.
    const rows = as === event.name ? [rowOf(as)] : [rowOf(as), rowOf(event.name)];
    if (rows.some((row) => !row.effects.includes(kind))) return 'does not count on this event';
    const fields = one.back === undefined ? rows : rows.slice(0, 1);
    if (kind === 'set' && fields.some((row) => !row.mutable.includes(effect.at[0])))
      return 'may not be changed';
    if (kind === 'give' && rows.some((row) => row.gives?.includes(effect.what) !== true))
      return 'is no gift for this event';
    if (onlyWatches(hook.roles) && !WATCHERS_MAY.has(kind)) return 'an observer only watches';
    if (kind === 'allow' && !hook.roles.includes('guard')) return 'only a guard approves';
    if (!stands(kind) && !REFUSALS.has(kind)) return PUSHED_ASIDE;
    const repeats = round === 2 && runs.some((run) => run.hook === hook.id && run.answer !== undefined);
    return repeats && !JUDGES.has(kind) ? 'said before' : '';
  }
  function weigh(one: HookAnswer, round: 1 | 2 = 1, stands: Stands = () => true) {
    const counts: Effect[] = [];
    const ignored: IgnoredEffect[] = [];
    for (const effect of one.answer.effects) {
      const why = objection(effect, one, round, stands);
      if (why === '') counts.push(effect);
      else ignored.push({ effect, why });
    }
    return { counts, ignored };
  }
  /** What a hook of another event made of that, as changes of this one. */
  function inFired({ shown, wanted }: Wish, back: NonNullable<Nearest['back']>): Change[] {
    const [was, will] = [back(shown as Fields, value), back(wanted as Fields, value)];
    return Object.keys(will).flatMap((field) =>
      same(was[field], will[field]) ? [] : diff(field, value[field], will[field]),
    );
  }
  const inShadow = (hook: Hook) => hook.shadow || (allShadow && !isOrganisations(hook));
  const changes = (effects: readonly Effect[]) => effects.filter((effect) => effect.kind === 'set');
  const changedBy = (view: Fields, effects: readonly Effect[]): Fields => {
    const wanted = changes(effects);
    return wanted.length === 0 ? view : apply(view, wanted);
  };

  return {
    get value() {
      return value;
    },
    /** How many changes were made so far. */
    get mark() {
      return applied.length;
    },
    /** Somebody wanted another value than the one that was fired, and got it or not. */
    get contested() {
      return contested || applied.length > 0;
    },
    has: (kinds: readonly EffectKind[]) => kinds.some((kind) => seen.has(kind)),
    counting: (one: HookAnswer): readonly Effect[] => weigh(one).counts,
    after: (view: Fields, one: HookAnswer): Fields => changedBy(view, weigh(one).counts),
    collides: (one: HookAnswer, mark: number): boolean =>
      changes(weigh(one).counts).some((a) =>
        applied.slice(mark).some((b) => one.back !== undefined || collide(a, b)),
      ),
    judged: (hook: Hook, about: Fields): boolean =>
      runs.some((run) => run.hook === hook.id && run.judged !== undefined && same(run.judged, about)),
    skip: (hook: Hook, why: string): void => void runs.push({ hook: hook.id, round: 1, ms: 0, skipped: why }),
    /** It is started and not waited for: by `late` its end is known. */
    detach: (hook: Hook, late: string): void =>
      void runs.push({ hook: hook.id, round: 1, ms: 0, skipped: 'in the background', late }),
    /**
     * Takes an answer into account. In round 2 nothing changes any more: who still wants to makes it a question, unless it
     * would only do once more what it has done.
     */
    take(one: HookAnswer, round: 1 | 2, stands?: Stands): void {
      const { counts, ignored } = weigh(one, round, stands);
      const aside = ignored.filter(({ why }) => why === PUSHED_ASIDE).map(({ effect }) => effect);
      if (changes(aside).length > 0) contested = true;
      const judged = round === 1 ? changedBy(one.shown, [...counts, ...aside]) : one.shown;
      // An approval is for the call with every change that came with it, made or not.
      const meant = inShadow(one.hook) ? one.shown : changedBy(one.shown, one.answer.effects);
      const wish: Wish = { shown: one.shown, wanted: changedBy(one.shown, counts) };
      const first = wishes.get(one.hook.id);
      const isDone =
        round === 2 && first !== undefined && (isRepeated(first, wish) || tellsAgain(first, wish, one.as));
      if (round === 1 && wish.shown !== wish.wanted) wishes.set(one.hook.id, wish);
      const told = round === 1 && one.back !== undefined ? inFired(wish, one.back) : undefined;
      for (const change of told ?? []) FOLD.set(change, one, meant);
      for (const effect of counts)
        if (told !== undefined && effect.kind === 'set') {
          if (told.length === 0) ignored.push({ effect, why: 'cannot be done at this event' });
        } else if (round === 1 || effect.kind !== 'set') {
          seen.add(effect.kind);
          FOLD[effect.kind](effect as never, one, meant); // the table is keyed by the very kind it is called with
        } else if (!same(apply(judged, [effect]), judged)) {
          if (isDone) ignored.push({ effect, why: DONE_BEFORE });
          else vote({ kind: 'ask', reason: `${label(one.hook)} wants to change the call again` }, one, meant);
        }
      const run: Mutable<Run> = { hook: one.hook.id, round, ms: one.ms, answer: one.answer, judged };
      if (one.answer.failed !== undefined && !counts.some(tightens)) run.failedOpen = true;
      if (ignored.length > 0) run.ignored = ignored;
      runs.push(run);
    },
    outcome(unmatched: readonly string[], aborted: boolean): Ruling {
      if (aborted && decides(event.name))
        votes.push({ by: 'host', kind: 'deny', text: 'aborted', about: value, broken: true });
      const counted = votes.filter((v) => v.kind !== 'allow' || same(v.about, value)); // approved is what will run
      const verdict = counted.reduce<Ruling['verdict']>(
        (so, { kind }) => (so === 'none' || STRICTNESS[kind] > STRICTNESS[so] ? kind : so),
        'none',
      );
      return {
        verdict,
        reasons: distinct(
          counted
            .filter((v) => v.kind === verdict)
            .map(({ by, text, broken }) => (broken ? { by, text, broken } : { by, text })),
        ),
        payload: value,
        changed,
        voided: distinct(votes.filter((v) => !counted.includes(v)).map((v) => v.by)),
        said: said.filter((s) => verdict !== 'deny' || s.to === 'person'),
        given,
        flow,
        lost: [],
        runs: runs.sort((a, b) => a.round - b.round || place(a.hook) - place(b.hook)),
        unmatched: withoutLate(unmatched, runs),
        aborted,
      };
    },
  };
}

const distinct = <T>(all: readonly T[]): T[] =>
  all.filter((one, i) => all.findIndex((other) => same(one, other)) === i);

/** A hook that ran in round 2 matched the final value, so it is no longer unmatched. */
function withoutLate(unmatched: readonly string[], runs: readonly Run[]): readonly string[] {
  const late = new Set(runs.filter((run) => run.round === 2).map((run) => run.hook));
  return late.size === 0 ? unmatched : unmatched.filter((id) => !late.has(id));
}
