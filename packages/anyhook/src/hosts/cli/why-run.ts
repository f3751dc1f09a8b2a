import { EVERYTHING } from '../../canon/capabilities.ts';
import type { EventName, Payload } from '../../canon/events.ts';
import { type Hook, label } from '../../canon/hook.ts';
import type { Outcome, Run } from '../../canon/outcome.ts';
import { brief, safe } from '../../views/safe.ts';
import { type Screen, shortPath } from '../../views/screen.ts';
import { timeline } from '../../views/timeline.ts';
import { createHooks } from '../library/create-hooks.ts';
import { print, printJson, screenFor } from './print.ts';
import type { WhyOptions } from './why.ts';

/** The hooks are asked for real, as for an agent that can do everything; nothing is recorded. Exit 1 when denied. */
export async function whyRun(event: EventName, payload: Payload, options: WhyOptions): Promise<number> {
  const hooks = await createHooks({
    host: { name: 'anyhook', can: EVERYTHING, mode: 'one-shot' },
    journal: false,
    ...(options.cwd !== undefined && { cwd: options.cwd }),
  });
  const outcome = await hooks.fire({ name: event, payload });
  await hooks.close();
  const byId = new Map(hooks.hooks.map((hook) => [hook.id, hook]));
  if (options.json === true) printJson({ before: payload, outcome });
  else print(told(event, payload, outcome, (id) => byId.get(id), screenFor(options.cwd)));
  return outcome.verdict === 'deny' ? 1 : 0;
}

export function told(
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
