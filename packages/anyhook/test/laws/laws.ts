/** Laws for every set of hooks. They use what hooks really received, not the records of the engine. */

import assert from 'node:assert/strict';
import { isDeepStrictEqual as same } from 'node:util';
import fc from 'fast-check';
import type { Grade, Grades } from '../../src/events/capabilities.ts';
import { apply } from '../../src/events/changes.ts';
import { type Change, type Effect, type EffectKind, STRICTNESS } from '../../src/events/effects.ts';
import type { Outcome, Ruling } from '../../src/events/outcome.ts';
import { bothWays } from './both-ways.ts';
import { fitting } from './fitting.ts';
import { QUESTION_LAWS } from './questions.ts';
import { TELLING_LAWS } from './telling.ts';
import {
  ACTS,
  ADDITIONS,
  anySet,
  anySpec,
  anyX,
  bare,
  type Call,
  DIALECT_NAMES,
  eventOf,
  hooksOf,
  inputOf,
  type Law,
  law,
  matches,
  play,
  type Spec,
  type Told,
} from './world.ts';

const finalOf = (outcome: Ruling) => inputOf(outcome as never);
const said = ({ said: all }: Call): readonly Effect[] => (all === 'throw' ? [] : all);
/** The call that an answer is about: the input that the hook received plus its own changes. */
const about = (call: Call) => {
  const changes = said(call).filter((effect): effect is Change => effect.kind === 'set');
  return inputOf({ payload: apply({ tool: 't', input: call.shown }, changes) } as never);
};
const insert = (list: readonly Told[], place: number, one: Told): Told[] => list.toSpliced(place, 0, one);
const NOISY = ['context', 'context', 'deny', 'ask', 'halt', 'inc', 'whole', 'allow', 'broken'];
const RESTLESS = ['inc', 'two', 'same', 'even', 'doubt', 'silent', 'whole', 'allow'];
const APPROVING = ['allow', 'allowEven', 'inc', 'two', 'whole', 'y', 'even', 'same', 'forbidden', 'doubt'];
const WRITES_TEXT = [...Object.keys(ADDITIONS), 'quoteA', 'wipe'];
const WRITERS = [...WRITES_TEXT, 'redactA', 'redactB', 'two', 'inc', 'deny'];
const OF_OTHER_FIELDS = Object.keys(ACTS).filter((act) => !WRITES_TEXT.includes(act));
const STRICTER = ['silent', 'ask', 'defer', 'deny', 'denyY', 'context', 'halt', 'broken'];

export const LAWS = {
  'the outcome does not depend on who finishes first': (subject) =>
    law(
      fc.asyncProperty(anySet(), anyX, fc.array(fc.nat(7), { minLength: 1 }), async (specs, x, delays) => {
        const [slow, quick] = [
          await play(subject, hooksOf(specs), x, delays),
          await play(subject, hooksOf(specs), x),
        ];
        assert.deepEqual(bare(slow.outcome), bare(quick.outcome));
      }),
    ),

  'what will run was judged, in that very form, by every guard that matches it, or is refused': (subject) =>
    law(
      fc.asyncProperty(fc.oneof(anySet(), anySet(6, RESTLESS)), anyX, async (specs, x) => {
        const hooks = hooksOf(specs);
        const { outcome, calls } = await play(subject, hooks, x);
        if (outcome.verdict === 'deny') return;
        const final = finalOf(outcome);
        for (const { id, spec } of hooks) {
          if (!spec.roles.includes('guard') || !matches(spec, final)) continue;
          const judged = calls.some(
            (call) => call.id === id && (same(call.shown, final) || same(about(call), final)),
          );
          assert.ok(judged, `${id} never judged ${JSON.stringify(final)}`);
        }
      }),
    ),

  'a guard that refuses what will run is heard': (subject) =>
    law(
      fc.asyncProperty(anySet(6, ['deny', 'denyY', 'inc', 'y', 'two', 'whole']), anyX, async (specs, x) => {
        const hooks = hooksOf(specs);
        const { outcome } = await play(subject, hooks, x);
        const final = finalOf(outcome);
        const refuses = (spec: Spec) => {
          if (spec.shadow || !spec.roles.includes('guard') || !matches(spec, final)) return false;
          return (spec.act === 'deny' && final.x > 2) || (spec.act === 'denyY' && final.y > 1);
        };
        if (specs.some(refuses)) assert.equal(outcome.verdict, 'deny');
      }),
    ),

  'an approval stands only if a guard approved the final value and nobody asked or refused': (subject) =>
    law(
      fc.asyncProperty(anySet(6, APPROVING), anyX, async (specs, x) => {
        const hooks = hooksOf(specs);
        const { outcome, calls } = await play(subject, hooks, x);
        if (outcome.verdict !== 'allow') return;
        const of = (call: Call) => hooks.find(({ id }) => id === call.id)!.spec;
        const approves = (call: Call) =>
          of(call).roles.includes('guard') &&
          !of(call).shadow &&
          of(call).act !== 'forbidden' &&
          same(about(call), finalOf(outcome)) &&
          said(call).some(({ kind }) => kind === 'allow');
        assert.ok(calls.some(approves), 'nobody approved what will run');
        const refuses = (call: Call) =>
          !of(call).shadow &&
          !of(call).roles.includes('observer') &&
          said(call).some(({ kind }) => kind === 'ask' || kind === 'defer' || kind === 'deny');
        assert.ok(!calls.some(refuses), 'somebody refused');
      }),
    ),

  'one more hook that neither approves nor changes, or that breaks, never loosens': (subject) =>
    law(
      fc.asyncProperty(anySet(5), anySpec(STRICTER), fc.nat(5), anyX, async (specs, extra, place, x) => {
        const hooks = hooksOf(specs);
        const without = await play(subject, hooks, x);
        const more = await play(subject, insert(hooks, place, hooksOf([extra], 'extra')[0]!), x);
        const [before, after] = [without.outcome.verdict, more.outcome.verdict];
        assert.ok(STRICTNESS[after] >= STRICTNESS[before], `${before} became ${after}`);
      }),
    ),

  'without changes the verdict does not depend on order': (subject) =>
    law(
      fc.asyncProperty(
        fc.array(anySpec(['silent', 'allow', 'allowEven', 'ask', 'deny', 'broken']), { maxLength: 6 }),
        anyX,
        fc.array(fc.nat(), { minLength: 6, maxLength: 6 }),
        async (specs, x, keys) => {
          const hooks = hooksOf(specs);
          const mixed = hooks.toSorted((a, b) => keys[hooks.indexOf(a)]! - keys[hooks.indexOf(b)]!);
          const [one, other] = [await play(subject, hooks, x), await play(subject, mixed, x)];
          assert.equal(one.outcome.verdict, other.outcome.verdict);
        },
      ),
    ),

  'a hook is asked at most three times': (subject) =>
    law(
      fc.asyncProperty(anySet(), anyX, async (specs, x) => {
        const { calls } = await play(subject, hooksOf(specs), x);
        for (const { id } of calls) assert.ok(calls.filter((call) => call.id === id).length <= 3, id);
      }),
    ),

  'the order in which dialects are discovered does not matter': (subject) =>
    law(
      fc.asyncProperty(
        anySet(),
        anyX,
        fc.shuffledSubarray([...DIALECT_NAMES], { minLength: DIALECT_NAMES.length }),
        async (specs, x, order) => {
          const hooks = hooksOf(specs);
          const mixed = hooks.toSorted((a, b) => order.indexOf(a.dialect) - order.indexOf(b.dialect));
          const [one, other] = [await play(subject, hooks, x), await play(subject, mixed, x)];
          assert.deepEqual(bare(one.outcome), bare(other.outcome));
        },
      ),
    ),

  'a hook in shadow or one that only tells changes nothing of what runs': (subject) =>
    law(
      fc.asyncProperty(anySet(5), anySpec(NOISY), fc.nat(5), anyX, async (specs, extra, place, x) => {
        const quiet: Spec = extra.shadow || extra.act === 'context' ? extra : { ...extra, shadow: true };
        const hooks = hooksOf(specs);
        const { outcome: without } = await play(subject, hooks, x);
        const { outcome: more } = await play(subject, insert(hooks, place, hooksOf([quiet], 'extra')[0]!), x);
        const what = ({ verdict, payload, changed, flow, voided }: Ruling) => ({
          verdict,
          payload,
          changed,
          flow,
          voided,
        });
        assert.deepEqual(what(more), what(without));
      }),
    ),

  'redactions of one field all survive, in whatever company': (subject) =>
    law(
      fc.asyncProperty(
        anySet(3, OF_OTHER_FIELDS),
        fc.nat(3),
        anyX,
        fc.constantFrom('together', 'turn'),
        async (specs, place, x, where) => {
          const [company, redactors] = [hooksOf(specs), ['redactA', 'redactB']];
          const redactor = (act: string): Told =>
            hooksOf(
              [{ dialect: where, act, roles: ['mutator'], onFailure: 'block', shadow: false, only: null }],
              act,
            )[0]!;
          const hooks = insert([redactor(redactors[0]!), ...company], place, redactor(redactors[1]!));
          const { outcome } = await play(subject, hooks, x);
          if (outcome.verdict !== 'deny') assert.equal(finalOf(outcome).text, '* *');
        },
      ),
    ),

  'additions chain: what each hook adds is in what runs, once, and nobody is asked': (subject) =>
    law(
      fc.asyncProperty(
        fc.array(anySpec(Object.keys(ADDITIONS)), { maxLength: 6 }),
        anyX,
        fc.constantFrom('together', 'turn'),
        async (specs, x, dialect) => {
          const active = specs.map((spec) => ({
            ...spec,
            dialect,
            roles: spec.roles.includes('observer') ? (['guard', 'mutator'] as const) : spec.roles,
            shadow: false,
            only: null,
          }));
          const { outcome } = await play(subject, hooksOf(active), x);
          assert.equal(outcome.verdict, 'none');
          const { text } = finalOf(outcome);
          for (const [act, added] of Object.entries(ADDITIONS)) {
            const made = active.filter((spec) => spec.act === act).length + (act === 'moreA' ? 1 : 0);
            const found = text.split(added[0]!).length - 1;
            // In parallel groups, equal answers may be one change.
            assert.ok(dialect === 'turn' ? found === made : found > 0 === made > 0, `${act}: ${text}`);
          }
        },
      ),
    ),

  'who still wants another call is a question, unless all it wants is what it has added already': (subject) =>
    law(
      fc.asyncProperty(anySet(5, WRITERS), anyX, async (specs, x) => {
        const hooks = hooksOf(specs);
        const { outcome, calls } = await play(subject, hooks, x);
        if (STRICTNESS[outcome.verdict] >= STRICTNESS.ask) return;
        const final = finalOf(outcome);
        for (const { id, spec } of hooks) {
          const isHeard = spec.roles.includes('guard') && !spec.shadow && matches(spec, final);
          const isSettled = calls.some((call) => call.id === id && same(about(call), final));
          if (!isHeard || isSettled) continue;
          const wanted = about({ id, shown: final, said: ACTS[spec.act]!(final) });
          if (same(wanted, final)) continue;
          const added = [...(ADDITIONS[spec.act] ?? '?')];
          const isThere = added.every((letter) => final.text.includes(letter));
          assert.ok(isThere, `${spec.act} wants ${JSON.stringify(wanted)}`);
        }
      }),
    ),

  ...TELLING_LAWS,
  ...QUESTION_LAWS,

  'a failure is never consent, and one that passes leaves a mark': (subject) =>
    law(
      fc.asyncProperty(anySet(4), anySpec(['broken']), fc.nat(4), anyX, async (specs, extra, place, x) => {
        const hooks = insert(hooksOf(specs), place, hooksOf([extra], 'extra')[0]!);
        const { outcome, calls } = await play(subject, hooks, x);
        if (!calls.some(({ id }) => id === 'extra0')) return;
        const enforced = !extra.shadow && !extra.roles.includes('observer');
        const least = enforced
          ? ({ allow: 'allow', ask: 'ask', block: 'deny' } as const)[extra.onFailure]
          : 'allow';
        assert.ok(STRICTNESS[outcome.verdict] >= STRICTNESS[least], `${extra.onFailure}: ${outcome.verdict}`);
        const open = !enforced || extra.onFailure === 'allow';
        const marks = outcome.runs
          .filter((run) => run.hook === 'extra0' && run.answer)
          .map((run) => run.failedOpen);
        assert.deepEqual(new Set(marks), new Set([open ? true : undefined]));
      }),
    ),

  'a deadline that does not pass changes nothing': (subject) => law(bothWays(subject)),

  'what the host is handed fits the row, unless it sent it so, and what fits is no failure': (subject) =>
    law(fitting(subject)),

  'lowering never loosens, and loses nothing in silence': (subject) =>
    law(
      fc.asyncProperty(anySet(), anyX, anyGrades, async (specs, x, grades) => {
        const { outcome } = await play(subject, hooksOf(specs), x);
        assertLowered(outcome, subject.lower(outcome, eventOf(x), { 'tool.before': grades }), x, grades);
      }),
    ),

  'what a hook stopped, and the host can stop, may not proceed': (subject) =>
    law(
      fc.asyncProperty(anySet(), anyX, anyGrades, async (specs, x, grades) => {
        const hooks = hooksOf(specs);
        const { outcome, calls } = await play(subject, hooks, x);
        const low = subject.lower(outcome, eventOf(x), { 'tool.before': grades });
        assertStopped(subject.outcomeOf(low, 'tool.before'), stoppersIn(hooks, calls), grades);
      }),
    ),
} as const satisfies Record<string, Law>;
export type LawName = keyof typeof LAWS;

const anyGrade = fc.constantFrom<(Grade | undefined)[]>(
  undefined,
  'full',
  'full',
  { as: 'deny' },
  { as: 'notice' },
);
const KINDS = [
  'allow',
  'ask',
  'defer',
  'deny',
  'set',
  'context',
  'notice',
  'halt',
] as const satisfies EffectKind[];
const anyGrades: fc.Arbitrary<Grades> = fc
  .record(Object.fromEntries(KINDS.map((kind) => [kind, anyGrade])))
  .map((all) => Object.fromEntries(Object.entries(all).filter(([, grade]) => grade !== undefined)));

const isAsDeny = (grade: Grades[EffectKind]): boolean =>
  typeof grade === 'object' && 'as' in grade && grade.as === 'deny';

function assertLowered(before: Ruling, low: Ruling, x: number, grades: Grades): void {
  const can = (kind: EffectKind) => {
    const grade = grades[kind];
    return grade === 'full' || (kind === 'deny' && isAsDeny(grade));
  };
  const loud = (word: string) =>
    low.said.some(({ by, to, text }) => by === 'host' && to === 'person' && text.startsWith(word));
  assert.ok(STRICTNESS[low.verdict] >= STRICTNESS[before.verdict], `${before.verdict} became ${low.verdict}`);
  const enforced = low.verdict === 'none' || can(low.verdict);
  assert.ok(enforced || !can('deny'), `${low.verdict} is not enforced, and could have been refused`);
  assert.ok(enforced || loud(low.verdict), `${low.verdict} is neither enforced nor said`);
  const refused = low.verdict === 'deny';
  if (before.changed.length > 0 && grades.set !== 'full') {
    assert.ok(refused, 'a change that cannot be made passes');
    if (!can('deny')) assert.deepEqual(low.payload, eventOf(x).payload);
  }
  if ('halt' in before.flow && grades.halt !== 'full') assert.ok(refused || loud('halt'), 'a halt is lost');
  if (refused)
    assert.ok(
      low.said.every(({ to }) => to === 'person'),
      'context of a refused call is passed on',
    );
  const less =
    low.verdict !== before.verdict || low.said.length < before.said.length || !same(low.flow, before.flow);
  if (less) assert.ok(low.lost.length > 0, 'lost in silence');
}

/** Effects with which enforced hooks objected to the call. */
const stoppersIn = (hooks: readonly Told[], calls: readonly Call[]): readonly EffectKind[] =>
  calls.flatMap((call) => {
    const { shadow, roles } = hooks.find(({ id }) => id === call.id)!;
    const counts = !shadow && !roles.includes('observer');
    return counts ? said(call).flatMap(({ kind }) => (STOPPERS.has(kind) ? [kind] : [])) : [];
  });
const STOPPERS: ReadonlySet<EffectKind> = new Set(['ask', 'defer', 'deny', 'halt']);

function assertStopped({ proceed, reason }: Outcome, stoppers: readonly EffectKind[], grades: Grades): void {
  const canDeny = grades.deny === 'full' || isAsDeny(grades.deny);
  // A halt that the host can neither apply nor refuse is reported as lost, which another law covers.
  const kept = stoppers.filter((kind) => kind !== 'halt' || grades.halt === 'full' || canDeny);
  if (kept.length > 0) assert.notEqual(proceed, 'yes', `${kept.join()} and it proceeds`);
  if (kept.some((kind) => kind !== 'ask'))
    assert.equal(proceed, 'no', `${kept.join()} is more than a question`);
  assert.ok(proceed === 'yes' || reason !== '', 'stopped without a word for the model');
}
