import type { EventName } from '../../canon/events.ts';
import { type Hook, label } from '../../canon/hook.ts';
import { type Outcome, outcomeOf } from '../../canon/outcome.ts';

/** In another agent nobody sees our journal: a refusal says whose it is, with file and line. A failure says so already. */
export function namedReasons(outcome: Outcome, name: EventName, hooks: readonly Hook[]): Outcome {
  if (outcome.verdict === 'none' || outcome.verdict === 'allow') return outcome;
  const reasons = outcome.reasons.map((reason) => {
    const hook = hooks.find(({ id }) => id === reason.by);
    if (hook === undefined || reason.broken === true) return reason;
    const { file, line } = hook.origin;
    const place = file.startsWith('(') ? 'anyhook' : `${file}:${line}`;
    const words = label(hook).split('\n')[0]!.slice(0, 60);
    return { ...reason, text: `${reason.text}${reason.text === '' ? '' : ' '}[${words}, ${place}]` };
  });
  return outcomeOf({ ...outcome, reasons }, name);
}
