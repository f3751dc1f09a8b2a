/**
 * Laws about who may let a call run: an approval overrides no veto, and an allow does not answer the question of
 * another hook.
 */

import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { QuestionStore } from '../../src/engine/open-questions.ts';
import type { Effect } from '../../src/events/effects.ts';
import type { Event } from '../../src/events/event.ts';
import type { Ruling } from '../../src/events/outcome.ts';
import {
  ACTS,
  anySet,
  anyX,
  eventOf,
  hooksOf,
  inputOf,
  law,
  matches,
  NO_ANSWER,
  type Input,
  type Law,
  permissionWord,
  play,
  type Spec,
} from './world.ts';

const APPROVES = ['allow', 'allowEven', 'whole', 'y', 'even', 'silent'];
const VETOES = ['silent', 'deny', 'denyY', 'halt', 'ask', 'inc', 'allow', 'broken'];

/** Whether this permission hook would stop the call. */
function objects(spec: Spec, input: Input): boolean {
  if (spec.shadow || spec.roles.includes('observer') || !matches(spec, input)) return false;
  const effects = ACTS[spec.act]!(input);
  if (effects === 'throw') return spec.onFailure !== 'allow';
  const isMutator = spec.roles.includes('mutator');
  return effects.some(
    ({ kind }: Effect) => ['deny', 'ask', 'halt'].includes(kind) || (kind === 'set' && isMutator),
  );
}

interface Step {
  readonly verdict: 'ask' | 'allow' | 'none' | 'deny';
  readonly x: number;
  readonly answeredBy: 'approver' | 'other';
}
const anySteps: fc.Arbitrary<Step[]> = fc.array(
  fc.record<Step>({
    verdict: fc.constantFrom('ask', 'allow', 'none', 'deny'),
    x: fc.nat(1),
    answeredBy: fc.constantFrom('approver', 'other'),
  }),
  { minLength: 1, maxLength: 6 },
);
const storeInMemory = (): QuestionStore => {
  const open = new Set<string>();
  const key = (_event: Event, call: unknown) => JSON.stringify(call);
  return {
    has: (event, call) => open.has(key(event, call)),
    add: (event, call) => Boolean(open.add(key(event, call))),
    remove: (event, call) => void open.delete(key(event, call)),
  };
};
const ruling = (x: number, verdict: Ruling['verdict'], by: string): Ruling => ({
  ...NO_ANSWER(x),
  verdict,
  reasons: verdict === 'none' ? [] : [{ by, text: '' }],
});

export const QUESTION_LAWS = {
  'an approval never skips a veto that would have been raised': (subject) =>
    law(
      fc.asyncProperty(anySet(3, APPROVES), anySet(3, VETOES), anyX, async (approving, vetoing, x) => {
        const vetoers = hooksOf(vetoing, 'v').map((hook) => ({ ...hook, on: permissionWord(hook.dialect) }));
        const { outcome } = await play(subject, [...hooksOf(approving), ...vetoers], x);
        if (outcome.verdict !== 'allow') return;
        const final = inputOf(outcome as never);
        for (const { id, spec } of vetoers)
          assert.ok(!objects(spec, final), `${id} (${spec.act}) was not heard`);
      }),
    ),

  'a question of a hook is answered by the user or by an approver that the user named': (subject) =>
    law(
      fc.asyncProperty(anySteps, async (steps) => {
        const store = storeInMemory();
        const asked = new Map<number, boolean>();
        for (const { verdict, x, answeredBy } of steps) {
          const before = eventOf(x);
          subject.followQuestion(ruling(x, verdict, 'guard'), before, store, ['approver']);
          asked.set(x, verdict === 'ask');
          const permission = { ...before, name: 'tool.permission' } as Event;
          const answer = subject.followQuestion(ruling(x, 'allow', answeredBy), permission, store, [
            'approver',
          ]);
          const isAnswered = answer.verdict === 'allow';
          assert.equal(isAnswered, asked.get(x) !== true || answeredBy === 'approver');
          if (!isAnswered) assert.ok(answer.lost.length > 0, 'dropped in silence');
        }
      }),
    ),
} as const satisfies Record<string, Law>;
