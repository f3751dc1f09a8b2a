import { deny, type EffectOf, resume } from '../../../events/effects.ts';
import type { Event } from '../../../events/event.ts';
import { rowOf } from '../../../events/events.ts';

export const OPTA_GAVE_NO_REASON = 'blocked by an Opta hook that gave no reason';

/** What a "no" is on this event; null where there is nothing left to refuse. */
export function optaRefusal(event: Event, reason = OPTA_GAVE_NO_REASON): EffectOf<'deny' | 'resume'> | null {
  const { effects } = rowOf(event.name);
  return effects.includes('deny') ? deny(reason) : effects.includes('resume') ? resume(reason) : null;
}
