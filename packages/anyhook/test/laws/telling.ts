/** Laws of concepts.md about context that hooks add to fields that the model reads. */

import assert from 'node:assert/strict';
import { isDeepStrictEqual as same } from 'node:util';
import fc from 'fast-check';
import { STRICTNESS } from '../../src/events/effects.ts';
import { rowOf } from '../../src/events/events.ts';
import type { Ruling } from '../../src/events/outcome.ts';
import { decides } from '../../src/events/roles.ts';
import {
  ADDERS,
  anyTellingSet,
  DECIDING_PLACES,
  inForce,
  type Place,
  PLACES,
  playTelling,
  REDACTORS,
  type Saying,
  sentTo,
  tellingHooks,
  TELLING_ACTS,
  textsOf,
  TOLD_PLACES,
} from './telling-world.ts';
import { type Law, law, type Told } from './world.ts';

const CHAINING = ['together', 'turn'];
const COMPANY = [...REDACTORS, ...ADDERS, 'rewrite', 'prune'];
const JUDGING = ['denySecret', 'askPruned', ...COMPANY];
const isQuestion = ({ verdict }: Ruling) => STRICTNESS[verdict] >= STRICTNESS.ask;
const anyPlace = (places: readonly Place[]) => fc.constantFrom(...places);
const isHeard = ({ spec }: Told) => spec.roles.includes('guard') && !spec.shadow;
const textsBy = ({ id }: Told, value: unknown) => textsOf(value).filter((text) => text.startsWith(`${id}:`));

/** Whether the second list contains the first in order. */
const isWithin = (one: readonly string[], other: readonly string[]): boolean => {
  const left = [...one];
  for (const text of other) if (text === left[0]) left.shift();
  return left.length === 0;
};

export const TELLING_LAWS = {
  'who adds to what the model reads, and again in other words, is there once and is no question': (subject) =>
    law(
      fc.asyncProperty(
        anyTellingSet([...ADDERS, 'tell', 'give'], CHAINING),
        anyPlace(TOLD_PLACES),
        async (specs, place) => {
          const hooks = tellingHooks(inForce(specs));
          const { outcome, calls, final } = await playTelling(subject, hooks, place);
          assert.equal(outcome.verdict, 'none', outcome.reasons.map(({ text }) => text).join());
          assert.ok(isWithin(textsOf(sentTo(place)), textsOf(final)), 'what was sent is not there');
          for (const hook of hooks) assertToldOnce(hook, place, { outcome, calls, final });
        },
      ),
    ),

  'what a hook wanted and did not get is on its record': (subject) =>
    law(
      fc.asyncProperty(anyTellingSet(), anyPlace(PLACES), async (specs, place) => {
        const hooks = tellingHooks(specs);
        const { outcome, calls } = await playTelling(subject, hooks, place);
        for (const { id } of hooks) {
          const answered = outcome.runs.filter((run) => run.hook === id && run.answer !== undefined);
          const mine = calls.filter((call) => call.id === id);
          assert.deepEqual(
            answered.map(({ answer }) => answer!.effects),
            mine.map(({ said }) => said),
          );
          if (isQuestion(outcome)) continue;
          // The second round makes no changes.
          for (const { round, answer, ignored = [] } of answered)
            for (const effect of round === 2 ? answer!.effects : [])
              assert.ok(
                effect.kind !== 'set' || ignored.some((one) => same(one.effect, effect)),
                `${id}: lost`,
              );
        }
      }),
    ),

  'what a redactor was shown and wants hidden is hidden, or is a question': (subject) =>
    law(
      fc.asyncProperty(anyTellingSet(COMPANY), anyPlace(PLACES), async (specs, place) => {
        const hooks = tellingHooks(inForce(specs));
        const { outcome, calls, final } = await playTelling(subject, hooks, place);
        if (isQuestion(outcome)) return;
        const secrets = textsOf(final).filter((text) => text.includes('secret'));
        for (const { id, dialect, spec } of hooks) {
          if (!REDACTORS.includes(spec.act)) continue;
          // If one answer of a group wins, the others are dropped, so guards run again on the result.
          const isSure = CHAINING.includes(dialect) || (isHeard({ spec } as Told) && decides(place.name));
          const shown = calls.filter((call) => call.id === id).flatMap((call) => textsOf(call.shown));
          if (isSure)
            assert.deepEqual(
              secrets.filter((text) => shown.includes(text)),
              [],
              id,
            );
        }
      }),
    ),

  'who still wants other words is a question, unless it only adds to what the model reads and has added there':
    (subject) =>
      law(
        fc.asyncProperty(anyTellingSet(COMPANY), anyPlace(DECIDING_PLACES), async (specs, place) => {
          const hooks = tellingHooks(specs);
          const { outcome, calls, final } = await playTelling(subject, hooks, place);
          if (isQuestion(outcome)) return;
          for (const hook of hooks.filter(isHeard)) {
            const mine = calls.filter((call) => call.id === hook.id);
            if (mine.some(({ wanted }) => same(wanted, final))) continue;
            const { shown, wanted } = mine.at(-1)!;
            assert.deepEqual(shown, final);
            assert.ok(isWithin(textsOf(shown), textsOf(wanted)), `${hook.spec.act} is dropped`);
            assert.ok(textsBy(hook, final).length > 0, `${hook.spec.act} has not added there`);
            if (!place.isTold)
              assert.ok(isSaidBefore(hook, shown, wanted), `${hook.spec.act} says other words`);
          }
        }),
      ),

  'what the model will read was judged in that very form by every guard, and who refuses it is heard': (
    subject,
  ) =>
    law(
      fc.asyncProperty(anyTellingSet(JUDGING), anyPlace(DECIDING_PLACES), async (specs, place) => {
        const hooks = tellingHooks(specs);
        const { outcome, calls, final } = await playTelling(subject, hooks, place);
        assert.notEqual(outcome.verdict, 'allow');
        if (outcome.verdict === 'deny') return;
        for (const hook of hooks.filter(({ spec }) => spec.roles.includes('guard'))) {
          const isAbout = ({ id, shown, wanted }: Saying) =>
            id === hook.id && (same(shown, final) || same(wanted, final));
          assert.ok(calls.some(isAbout), `${hook.id} never judged ${JSON.stringify(final)}`);
          const { effects = [] } = judgementOf(hook, final);
          const counts = effects.filter(({ kind }) => rowOf(place.name).effects.includes(kind));
          if (isHeard(hook)) for (const { kind } of counts) assert.equal(outcome.verdict, kind);
        }
      }),
    ),

  'what changes each time it is looked at comes to an end': (subject) =>
    law(
      fc.asyncProperty(anyTellingSet(), anyPlace(PLACES), async (specs, place) => {
        const { calls } = await playTelling(subject, tellingHooks(specs), place);
        for (const { id } of calls) assert.ok(calls.filter((call) => call.id === id).length <= 3, id);
      }),
    ),
} as const satisfies Record<string, Law>;

interface Played {
  readonly outcome: Ruling;
  readonly calls: readonly Saying[];
  readonly final: unknown;
}

function assertToldOnce(hook: Told, { name }: Place, { outcome, calls, final }: Played): void {
  const { act } = hook.spec;
  const said = outcome.said.filter(({ by }) => by === hook.id).map(({ text }) => text);
  const given = outcome.given.filter(({ by }) => by === hook.id).map(({ value }) => value as string);
  const there = { tell: said, give: given }[act] ?? textsBy(hook, final);
  const takes = act !== 'give' || name === 'prompt.submit';
  assert.equal(there.length, takes ? 1 : 0, `${act}: ${JSON.stringify(final)}`);
  const meant = calls.filter(({ id }) => id === hook.id).map((call) => JSON.stringify(call.said));
  for (const text of there)
    assert.ok(
      meant.some((one) => one.includes(text)),
      `nobody said ${text}`,
    );
}

/** The same text at the same end as an earlier addition of the hook. */
function isSaidBefore(hook: Told, shown: unknown, wanted: unknown): boolean {
  const [before, after] = [textsBy(hook, shown), textsBy(hook, wanted)];
  return after.every((text) => before.includes(text));
}

const judgementOf = ({ spec, id }: Told, final: unknown) => {
  if (spec.act !== 'denySecret' && spec.act !== 'askPruned') return {};
  return TELLING_ACTS[spec.act]!({ pieces: textsOf(final).map((text) => ({ text })), me: id, nth: 1 });
};
