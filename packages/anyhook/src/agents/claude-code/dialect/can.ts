import type { Capabilities, Grade } from '../../../events/capabilities.ts';
import type { EffectKind, Gift } from '../../../events/effects.ts';
import { type EventName, rowOf } from '../../../events/events.ts';
import type { ClaudeEvent } from './event-row.ts';
import { claudeEvent } from './events.ts';
import { words } from './names.ts';

type Grades = { readonly [K in EffectKind]?: Grade };

/** What Claude Code does with an answer, read off its table: an effect counts where one of the row's fields carries it. */
export const can: Capabilities = Object.fromEntries(
  (Object.entries(words) as [EventName, (typeof words)[EventName]][]).flatMap(([name, theirs]) =>
    theirs === null ? [] : [[name, within(name, Object.assign({}, ...theirs.map(gradesOf)) as Grades)]],
  ),
);

function gradesOf(word: Parameters<typeof claudeEvent>[0]): Grades {
  const row: ClaudeEvent = claudeEvent(word);
  const has = (field: ClaudeEvent['fields'][number]) => row.fields.includes(field);
  const grades: Partial<Record<EffectKind, Grade>> = {};
  if (row.block === 'deny' || row.block === 'cancel' || row.block === 'resume' || row.block === 'halt')
    grades[row.block] = 'full';
  // It defers only in headless runs with a single call, and says nothing where it does not.
  if (has('permissionDecision')) Object.assign(grades, { allow: 'full', ask: 'full', defer: { as: 'deny' } });
  // To answer nothing is to ask: the person is about to be asked.
  if (has('decision'))
    Object.assign(grades, { allow: 'full', deny: 'full', ask: 'full', defer: 'full', give: 'full' });
  if (has('updatedInput') || has('decision') || has('updatedToolOutput')) grades.set = 'full';
  if (row.on === 'other') grades.set = 'full'; // what a word of its own lets change travels in its body
  // On a stop, context is a reason to go on: who did not ask for that does not get it.
  if ((has('additionalContext') && row.block !== 'resume') || row.message === 'model')
    grades.context = 'full';
  if (row.message === undefined) grades.notice = 'full';
  if (row.unstoppable !== true) grades.halt = 'full';
  if (has('retry')) grades.retry = 'full';
  const gifts: readonly Gift[] = [
    ...(has('sessionTitle') ? (['title'] as const) : []),
    ...(has('initialUserMessage') ? (['message'] as const) : []),
    ...(row.envFile ? (['environment'] as const) : []),
  ];
  if (gifts.length > 0) grades.give = gifts.length === 3 ? 'full' : { only: gifts };
  return grades;
}

/** Only what counts on our event at all. */
function within(name: EventName, grades: Grades): Grades {
  const { effects } = rowOf(name);
  return Object.fromEntries(Object.entries(grades).filter(([kind]) => effects.includes(kind as EffectKind)));
}
