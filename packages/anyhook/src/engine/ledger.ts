/** What has been answered so far in one fire. Folds by kind of effect, never by event. */
import { apply, collide, same } from '../canon/changes.ts';
import {
  type Change,
  type Effect,
  type EffectKind,
  type EffectOf,
  type Fields,
  REFUSALS,
  STRICTNESS,
  type Turn,
  type Verdict,
} from '../canon/effects.ts';
import type { Event } from '../canon/event.ts';
import { type EventName, rowOf } from '../canon/events.ts';
import type { Hook } from '../canon/hook.ts';
import type { Answer, Ignored, Outcome, Run } from '../canon/outcome.ts';
import { decides } from '../canon/roles.ts';

/** One hook's answer about what it was shown. */
export interface Asked {
  readonly hook: Hook;
  /** The moment as the hook knows it. */
  readonly as: EventName;
  readonly shown: Fields;
  readonly answer: Answer;
  readonly ms: number;
  readonly failedOpen: boolean;
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

const VERDICTS: ReadonlySet<EffectKind> = new Set<EffectKind>(['allow', 'ask', 'defer', 'deny']);
const WATCHERS_MAY: ReadonlySet<EffectKind> = new Set<EffectKind>(['context', 'notice']);

export type Ledger = ReturnType<typeof openLedger>;

export function openLedger(event: Event, place: ReadonlyMap<string, number>, allShadow: boolean) {
  let value = event.payload as Fields;
  const seen = new Set<EffectKind>();
  const applied: Change[] = [];
  const runs: Run[] = [];
  const votes: Vote[] = [];
  const flow: Partial<Record<Turn, string>> = {};
  const changed: Outcome['changed'][number][] = [];
  const said: Outcome['said'][number][] = [];
  const given: Outcome['given'][number][] = [];

  /** One line per kind: a new kind will not compile until it has its line here. */
  const FOLD: { [K in EffectKind]: (effect: EffectOf<K>, one: Asked, about: Fields) => void } = {
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
  function vote(effect: EffectOf<Verdict>, { hook, answer }: Asked, about: Fields): void {
    votes.push({
      by: hook.id,
      kind: effect.kind,
      text: effect.reason ?? '',
      about,
      broken: answer.failed !== undefined,
    });
  }
  function turn(effect: EffectOf<Turn>): void {
    flow[effect.kind] ??= effect.reason ?? '';
  }

  /** Why an effect does not count; the empty string when it does. */
  function objection(effect: Effect, one: Asked, round: 1 | 2, stands: Stands): string {
    const { hook, as } = one;
    const row = rowOf(as);
    if (hook.shadow || allShadow) return 'shadow';
    if (!row.effects.includes(effect.kind)) return 'does not count on this event';
    if (effect.kind === 'set' && !row.mutable.includes(effect.at[0])) return 'may not be changed';
    const watches = !hook.roles.includes('guard') && !hook.roles.includes('mutator');
    if (watches && !WATCHERS_MAY.has(effect.kind)) return 'an observer only watches';
    if (!stands(effect.kind) && !REFUSALS.has(effect.kind)) return 'another answer stands';
    const repeats = round === 2 && runs.some((run) => run.hook === hook.id && run.answer !== undefined);
    if (repeats && !VERDICTS.has(effect.kind) && effect.kind !== 'set' && effect.kind !== 'halt')
      return 'said before';
    return '';
  }
  function weigh(one: Asked, round: 1 | 2 = 1, stands: Stands = () => true) {
    const counts: Effect[] = [];
    const ignored: Ignored[] = [];
    for (const effect of one.answer.effects) {
      const why = objection(effect, one, round, stands);
      if (why === '') counts.push(effect);
      else ignored.push({ effect, why });
    }
    return { counts, ignored };
  }
  const changes = (effects: readonly Effect[]) => effects.filter((effect) => effect.kind === 'set');

  return {
    get value() {
      return value;
    },
    /** How many changes were made so far. */
    get mark() {
      return applied.length;
    },
    has: (kinds: readonly EffectKind[]) => kinds.some((kind) => seen.has(kind)),
    counting: (one: Asked): readonly Effect[] => weigh(one).counts,
    after: (view: Fields, one: Asked): Fields => {
      const wanted = changes(weigh(one).counts);
      return wanted.length === 0 ? view : apply(view, wanted);
    },
    collides: (one: Asked, mark: number): boolean =>
      changes(weigh(one).counts).some((a) => applied.slice(mark).some((b) => collide(a, b))),
    judged: (hook: Hook, about: Fields): boolean =>
      runs.some((run) => run.hook === hook.id && run.judged !== undefined && same(run.judged, about)),
    skip: (hook: Hook, why: string): void => void runs.push({ hook: hook.id, round: 1, ms: 0, skipped: why }),
    /** Takes an answer into account. In round 2 nothing changes any more: who still wants to makes it a question. */
    take(one: Asked, round: 1 | 2, stands?: Stands): void {
      const { counts, ignored } = weigh(one, round, stands);
      const judged = round === 1 ? apply(one.shown, changes(counts)) : one.shown;
      for (const effect of counts)
        if (round === 1 || effect.kind !== 'set') {
          seen.add(effect.kind);
          FOLD[effect.kind](effect as never, one, judged); // the table is keyed by the very kind it is called with
        } else if (!same(apply(judged, [effect]), judged)) {
          vote({ kind: 'ask', reason: 'wants to change the call again' }, one, judged);
        }
      const run: Mutable<Run> = { hook: one.hook.id, round, ms: one.ms, answer: one.answer, judged };
      if (one.failedOpen) run.failedOpen = true;
      if (ignored.length > 0) run.ignored = ignored;
      runs.push(run);
    },
    outcome(unmatched: readonly string[], aborted: boolean): Outcome {
      if (aborted && decides(event.name))
        votes.push({ by: 'host', kind: 'deny', text: 'aborted', about: value, broken: true });
      const counted = votes.filter((v) => v.kind !== 'allow' || same(v.about, value)); // approved is what will run
      const verdict = counted.reduce<Outcome['verdict']>(
        (so, { kind }) => (so === 'none' || STRICTNESS[kind] > STRICTNESS[so] ? kind : so),
        'none',
      );
      return {
        verdict,
        reasons: counted
          .filter((v) => v.kind === verdict)
          .map(({ by, text, broken }) => (broken ? { by, text, broken } : { by, text })),
        payload: value,
        changed,
        voided: votes.filter((v) => !counted.includes(v)).map((v) => v.by),
        said: said.filter((s) => verdict !== 'deny' || s.to === 'person'),
        given,
        flow,
        lost: [],
        runs: runs.sort((a, b) => a.round - b.round || (place.get(a.hook) ?? 0) - (place.get(b.hook) ?? 0)),
        unmatched,
        aborted,
      };
    },
  };
}
