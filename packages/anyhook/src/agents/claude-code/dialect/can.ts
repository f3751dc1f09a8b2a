import type { Capabilities, Grade } from '../../../events/capabilities.ts';
import type { EffectKind, Gift } from '../../../events/effects.ts';
import { type EventName, rowOf } from '../../../events/events.ts';
import type { ClaudeEvent } from './event-row.ts';
import { claudeEvent } from './events.ts';
import { words } from './names.ts';

type Grades = { readonly [K in EffectKind]?: Grade };

/** Derives Claude Code's capabilities from its event table: an effect is supported if a field of the row carries it. */
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
  // It supports defer only in headless runs with a single call, and otherwise ignores it silently.
  if (has('permissionDecision')) Object.assign(grades, { allow: 'full', ask: 'full', defer: { as: 'deny' } });
  // No answer means that Claude Code asks the user as usual.
  if (has('decision'))
    Object.assign(grades, { allow: 'full', deny: 'full', ask: 'full', defer: 'full', give: 'full' });
  if (has('updatedInput') || has('decision') || has('updatedToolOutput')) grades.set = 'full';
  if (row.on === 'other') grades.set = 'full'; // on native events, changes are made in the body
  // On a stop, context is a reason to continue, so hooks that only add context must not send it.
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

/** Keeps only effects that apply to our event. */
function within(name: EventName, grades: Grades): Grades {
  const { effects } = rowOf(name);
  return Object.fromEntries(Object.entries(grades).filter(([kind]) => effects.includes(kind as EffectKind)));
}
