/**
 * Mistakes that somebody could make in the engine, each with the law that must see it. A fault is planted into a copy of
 * the sources, so that the product carries no switch for it; a snippet that is no longer there fails loudly.
 */

import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type * as SchemaMisfit from '../../src/events/schema-misfit.ts';
import type { LawName } from './laws.ts';
import { TELLING_FAULTS } from './telling-faults.ts';
import type { Subject } from './world.ts';

export interface Edit {
  readonly file: string;
  readonly find: string;
  readonly put: string;
}
export interface Fault {
  readonly name: string;
  readonly law: LawName;
  readonly edits: readonly Edit[];
}
const fault = (name: string, law: LawName, file: string, find: string, put: string): Fault => ({
  name,
  law,
  edits: [{ file, find, put }],
});

const [FIRE, TALLY, PLAN] = ['engine/fire.ts', 'engine/tally.ts', 'engine/plan.ts'];
const PROCEED = 'events/proceed.ts';
const REPEATED = 'events/repeated.ts';
const JUDGED = 'what will run was judged, in that very form, by every guard that matches it, or is refused';
const APPROVED = 'an approval stands only if a guard approved the final value and nobody asked or refused';
const HEARD = 'a guard that refuses what will run is heard';
const QUIET = 'a hook in shadow or one that only tells changes nothing of what runs';
const FAILURE = 'a failure is never consent, and one that passes leaves a mark';
const LOWERED = 'lowering never loosens, and loses nothing in silence';
const SAME = 'a deadline that does not pass changes nothing';
const FITS = 'what the host is handed fits the row, unless it sent it so, and what fits is no failure';
const STOPPED = 'what a hook stopped, and the host can stop, may not proceed';
const CHAIN = 'additions chain: what each hook adds is in what runs, once, and nobody is asked';
const WISH = 'who still wants another call is a question, unless all it wants is what it has added already';
const VETO = 'an approval never skips a veto that would have been raised';
const ANSWERED = 'a question of a hook is answered by the user or by an approver that the user named';
const LOOSENS = 'one more hook that neither approves nor changes, or that breaks, never loosens';

export const FAULTS: readonly Fault[] = [
  fault(
    'old approvals are counted',
    APPROVED,
    TALLY,
    "v.kind !== 'allow' || same(v.about, this.#value)",
    'v !== undefined',
  ),
  fault('there is no second round', JUDGED, FIRE, 'await askAgain(plans, state)', 'await null'),
  fault(
    'a refusal in the second round is not heard',
    HEARD,
    FIRE,
    'for (const hookAnswer of answers) tally.take(hookAnswer, 2);',
    'void answers;',
  ),
  fault(
    'matchers are not looked at again',
    JUDGED,
    FIRE,
    'views: viewsFor(hook, group, now, state.parts) }))\n        .filter(({ views }) => views.length > 0);',
    'views: viewsFor(hook, group, viewFor(group, state, event.payload as Fields), state.parts) }))\n        .filter(({ views }) => views.length > 0);',
  ),
  fault(
    'only a change that was made calls for a second round',
    JUDGED,
    TALLY,
    'return this.#isContested || this.#applied.length > 0;',
    'return this.#applied.length > 0;',
  ),
  fault(
    'changes are still made in the second round',
    JUDGED,
    TALLY,
    "if (round === 1 || effect.kind !== 'set')",
    'if (round === 1 || round === 2)',
  ),
  fault(
    'an approval is taken to be for what the hook was shown',
    APPROVED,
    TALLY,
    'changedBy(hookAnswer.shown, hookAnswer.answer.effects)',
    'hookAnswer.shown',
  ),
  fault(
    'an approval beside a change that was not made is taken to be for the call without it',
    APPROVED,
    TALLY,
    'changedBy(hookAnswer.shown, hookAnswer.answer.effects)',
    'changedBy(hookAnswer.shown, counts)',
  ),
  fault(
    'a hook that is no guard approves',
    APPROVED,
    TALLY,
    "if (kind === 'allow' && !hook.roles.includes('guard')) return 'only a guard approves';",
    '',
  ),
  fault(
    'answers are taken as they finish',
    'the outcome does not depend on who finishes first',
    FIRE,
    'return Promise.all(awaited.map(({ hook, views }) => askOne(hook, group, now, views, state)));',
    `const done: HookAnswer[] = [];
  await Promise.all(awaited.map(async ({ hook, views }) => done.push(await askOne(hook, group, now, views, state))));
  return done;`,
  ),
  fault(
    'groups run in order of discovery',
    'the order in which dialects are discovered does not matter',
    PLAN,
    'return [\n    ...dialects.flatMap(',
    `const found = (d: Dialect) => hooks.findIndex((h) => h.dialect === d.name);
  return [\n    ...[...dialects].sort((a, b) => found(a) - found(b)).flatMap(`,
  ),
  fault(
    'a hook in shadow stops its group',
    QUIET,
    FIRE,
    'const isStopped = tally.counting(hookAnswer).some(',
    'const isStopped = hookAnswer.answer.effects.some(',
  ),
  fault(
    'whose answer stands is decided by the whole answer',
    QUIET,
    FIRE,
    'tally.counting(hookAnswer).some((effect) => effect.kind === kind)',
    "tally.counting(hookAnswer).some((effect) => effect.kind !== 'x' || kind === 'set')",
  ),
  fault(
    'a change that collides is not asked again',
    'redactions of one field all survive, in whatever company',
    FIRE,
    "sharing.order === 'together' && tally.collides(hookAnswer, mark)",
    "sharing.order === 'detached' && tally.collides(hookAnswer, mark)",
  ),
  fault(
    'an answer that is asked again takes its refusal back',
    APPROVED,
    FIRE,
    'tally.take(hookAnswer, 1, () => false);',
    '',
  ),
  fault(
    'a hook that breaks ends its group',
    LOOSENS,
    FIRE,
    'const isStopped = tally.counting(hookAnswer).some(',
    'const isStopped = hookAnswer.answer.failed !== undefined || tally.counting(hookAnswer).some(',
  ),
  fault(
    'the first verdict wins',
    'without changes the verdict does not depend on order',
    TALLY,
    "so === 'none' || STRICTNESS[kind] > STRICTNESS[so] ? kind : so",
    "so === 'none' ? kind : so",
  ),
  {
    name: 'the second round goes on until everybody is content',
    law: 'a hook is asked at most three times',
    edits: [
      {
        file: FIRE!,
        find: 'await askAgain(plans, state)',
        put: 'for (let i = 0; i < 3; i++) await askAgain(plans, state)',
      },
      { file: FIRE!, find: '        .filter((hook) => !tally.judged(hook, payload as Fields))\n', put: '' },
    ],
  },
  fault('an addition that is there is a question', CHAIN, TALLY, 'isRepeated(first, wish)', 'false'),
  fault('who has had its say is not heard again', WISH, TALLY, 'isRepeated(first, wish)', 'first !== wish'),
  fault(
    'an addition that another took away is dropped',
    WISH,
    REPEATED,
    'return place !== -1 && shown.indexOf(back, place + front.length) !== -1;',
    'return place < Infinity;',
  ),
  fault(
    'the same text at another place passes for the same addition',
    WISH,
    REPEATED,
    'if (wanted !== front + shown + back) return false;',
    "if (wanted.replaceAll(front + back, '') !== shown.replaceAll(front + back, '')) return false;",
  ),
  fault(
    'a failure reads as consent',
    FAILURE,
    'engine/ask.ts',
    ': (hook.onFailure ?? dialect.failure(hook.on, answer.failed.kind, hook));',
    ": 'allow';",
  ),
  fault(
    'a failure that passes leaves no mark',
    FAILURE,
    TALLY,
    'if (hookAnswer.answer.failed !== undefined && !counts.some(tightens)) run.failedOpen = true;',
    '',
  ),
  fault(
    'a hook that answered before a deadline is called once more',
    SAME,
    FIRE,
    'const pending = askOne(hook, group, now, views, state);',
    'if (state.terms.until < Infinity) await askOne(hook, group, now, views, state);\n    const pending = askOne(hook, group, now, views, state);',
  ),
  fault(
    'a fire with a deadline forgets which hooks had nothing to say',
    SAME,
    FIRE,
    'tally.take(final, 1, (kind)',
    'if (final.answer.effects.length > 0 || state.terms.until === Infinity) tally.take(final, 1, (kind)',
  ),
  fault(
    'the answer of a hook that took its time is dropped where there is a deadline',
    SAME,
    'engine/ask.ts',
    'return reply instanceof Promise ? reply.then(read, fail) : read(reply);',
    `const dropped = { ...read(brokenReply({ kind: 'no-time' })), answer: { effects: [] } };
  return terms.until < Infinity ? dropped : reply instanceof Promise ? reply.then(read, fail) : read(reply);`,
  ),
  fault(
    'what hooks say is not held against the row',
    FITS,
    'engine/ask.ts',
    'if (misfits.length === 0) return answer;',
    'if (misfits.length < Infinity) return answer;',
  ),
  fault(
    'a change that does not fit is named and made all the same',
    FITS,
    'engine/ask.ts',
    'answer.effects.filter(tightens)',
    'answer.effects',
  ),
  fault(
    'a key is set without a look at the field it is in',
    FITS,
    'events/misfit.ts',
    'misfitIn(schema, after[field], ',
    'misfitIn(schema, change.to, ',
  ),
  fault(
    'whatever the host sent excuses what a hook makes of it',
    FITS,
    'events/schema-misfit.ts',
    'shown.some((one) => same(one, value))',
    'shown.length > 0',
  ),
  fault(
    'what the host sent is held against the hook that passes it on',
    FITS,
    'events/schema-misfit.ts',
    'shown.some((one) => same(one, value))',
    'same(shown, value)',
  ),
  fault(
    'a gift that the event does not take is handed over',
    FITS,
    TALLY,
    "if (kind === 'give' && rows.some(",
    "if (kind === 'give' && [].some(",
  ),
  fault(
    'a question nobody can be asked passes',
    LOWERED,
    'engine/lower.ts',
    'if (canDeny(grades)) {',
    'if (verdict === "deny" && canDeny(grades)) {',
  ),
  fault(
    'a change that cannot be made is dropped',
    LOWERED,
    'engine/lower.ts',
    'return refuse(unchanged, event, `${text}; ${CURE}`, by);',
    'return unchanged;',
  ),
  fault(
    'a halt that cannot be done is dropped',
    LOWERED,
    'engine/lower.ts',
    "if (!REFUSALS.has(turn) || low.verdict === 'deny') continue;",
    'continue;',
  ),
  fault(
    'only a deny stops a call',
    STOPPED,
    PROCEED,
    "{ deny: 'no', defer: 'no', ask: 'ask', halt: 'no',",
    "{ deny: 'no',",
  ),
  fault('what is put off may proceed', STOPPED, PROCEED, "defer: 'no', ", ''),
  fault(
    'a question stands in the place of a halt',
    STOPPED,
    PROCEED,
    "(['no', 'ask'] as const)",
    "(['ask', 'no'] as const)",
  ),
  ...TELLING_FAULTS,
  fault(
    'permission hooks are not called when a hook approves',
    VETO,
    'engine/engine.ts',
    "ruling.verdict === 'allow' ?",
    "ruling.verdict === 'deny' ?",
  ),
  fault(
    'a change that a permission hook wants leaves the approval standing',
    VETO,
    'engine/vetoes.ts',
    "answer.verdict === 'ask' || answer.changed.length > 0",
    "answer.verdict === 'ask'",
  ),
  fault(
    'any allow answers a question',
    ANSWERED,
    'engine/open-questions.ts',
    'approvers.includes(by)',
    "by !== ''",
  ),
  fault(
    'a question stays open after the call is judged again',
    ANSWERED,
    'engine/open-questions.ts',
    'store.remove(event, ruling.payload);',
    'void store;',
  ),
];

const SOURCES = join(dirname(fileURLToPath(import.meta.url)), '../../src');

/** The engine built from a copy of the sources, with the edits made. */
export async function plant(edits: readonly Edit[]): Promise<Subject> {
  const folder = await mkdtemp(join(tmpdir(), 'anyhook-fault-'));
  try {
    const isSource = (path: string) => !/\.test\.ts$|\/fixtures(\/|$)/.test(path);
    for (const room of ['events', 'engine'])
      await cp(join(SOURCES, room), join(folder, room), { recursive: true, filter: isSource });
    await symlink(join(SOURCES, '../../../node_modules'), join(folder, 'node_modules'), 'junction');
    for (const { file, find, put } of edits) {
      const text = await readFile(join(folder, file), 'utf8');
      if (text.split(find).length !== 2) throw new Error(`${file} does not hold exactly once: ${find}`);
      await writeFile(
        join(folder, file),
        text.replace(find, () => put),
      );
    }
    const [engine, lowering, outcomes, questions] = (await Promise.all(
      ['engine/engine.ts', 'engine/lower.ts', 'events/outcome.ts', 'engine/open-questions.ts'].map(
        (file) => import(/* @vite-ignore */ join(folder, file)),
      ),
    )) as Subject[];
    // Loaded when the first hook changes something, and by then the copy is gone.
    const { schemaFrom } = (await import(
      /* @vite-ignore */ join(folder, 'events/schema-misfit.ts')
    )) as typeof SchemaMisfit;
    schemaFrom((z) => z.unknown());
    return {
      makeEngine: engine!.makeEngine,
      lower: lowering!.lower,
      outcomeOf: outcomes!.outcomeOf,
      followQuestion: questions!.followQuestion,
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
