/** One event that was fired to be looked at: what each hook said and took, and the payload before and after. */
import type { EventName, Payload } from '../canon/events.ts';
import { type Hook, label } from '../canon/hook.ts';
import type { Outcome, Run } from '../canon/outcome.ts';
import { brief, safe } from './safe.ts';
import { type Screen, shortPath } from './screen.ts';
import { timeline } from './timeline.ts';

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
      .map((run) => `  ${took(run, hookOf(run.hook), screen)}`),
    `before  ${brief(JSON.stringify(payload), width - 8)}`,
    outcome.changed.length === 0
      ? 'after   unchanged'
      : `after   ${brief(JSON.stringify(outcome.payload), width - 8)}`,
  ];
}

function took({ hook: id, ms }: Run, hook: Hook | undefined, screen: Screen): string {
  const place =
    hook === undefined
      ? ''
      : ` ${shortPath(hook.origin.file, screen)}${hook.origin.file.startsWith('(') ? '' : `:${hook.origin.line}`}`;
  return screen.paint(
    'dim',
    `${String(Math.round(ms)).padStart(5)} ms  ${brief(hook === undefined ? safe(id) : label(hook), 40)}${place}`,
  );
}
