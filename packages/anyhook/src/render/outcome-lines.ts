/** Renders a test fire: each hook's answer and duration, and the payload before and after. */

import type { EventName, Payload } from '../events/events.ts';
import { type Hook, label } from '../events/hook.ts';
import type { Outcome, Run } from '../events/outcome.ts';
import { took } from '../events/took.mjs';
import { endingText } from './ending-text.ts';
import { brief, safe } from './safe.ts';
import { type Screen, shortPath } from './screen.ts';
import { timeline } from './timeline.ts';
import { wrap } from './wrap.ts';

export function outcomeLines(
  event: EventName,
  payload: Payload,
  outcome: Outcome,
  hookOf: (id: string) => Hook | undefined,
  screen: Screen,
): string[] {
  const { paint, width } = screen;
  return [
    ...timeline({ title: event, outcome, hookOf }, paint),
    ...outcome.runs
      .filter((run) => run.skipped === undefined)
      .map((run) => `  ${timeOf(run, hookOf(run.hook), screen)}`),
    ...outcome.runs.flatMap((run) => endingLines(run, screen)),
    `before  ${brief(JSON.stringify(payload), width - 8)}`,
    outcome.changed.length === 0
      ? 'after   unchanged'
      : `after   ${brief(JSON.stringify(outcome.payload), width - 8)}`,
  ];
}

function timeOf({ hook: id, ms }: Run, hook: Hook | undefined, screen: Screen): string {
  const place =
    hook === undefined
      ? ''
      : ` ${shortPath(hook.origin.file, screen)}${hook.origin.file.startsWith('(') ? '' : `:${hook.origin.line}`}`;
  return screen.paint(
    'dim',
    `${took(ms).padStart(8)}  ${brief(hook === undefined ? safe(id) : label(hook), 40)}${place}`,
  );
}

/** Renders how the process of a broken hook ended, with its last output. */
function endingLines({ answer }: Run, { paint, width }: Screen): string[] {
  const text = answer === undefined ? '' : endingText(answer);
  return text === '' ? [] : wrap(`  ${paint('red', 'broke')}  ${text}`, width, '         ');
}
