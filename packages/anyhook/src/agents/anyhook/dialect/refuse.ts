import { cancel, deny, type Effect, resume } from '../../../events/effects.ts';
import { type EventName, rowOf } from '../../../events/events.ts';

/** Converts a plain refusal to the effect of the event: refusing a stop means resuming. */
export function refuse(name: EventName, reason: string | undefined): Effect | undefined {
  const { effects } = rowOf(name);
  if (effects.includes('deny')) return deny(reason);
  if (effects.includes('resume')) return resume(reason);
  if (effects.includes('cancel')) return cancel(reason);
  return undefined;
}
