import { cancel, deny, type EffectOf, resume } from '../../../events/effects.ts';
import type { Event } from '../../../events/event.ts';
import { rowOf } from '../../../events/events.ts';
import { NO_REASON } from '../../../events/proceed.ts';
import { BLOCKABLE } from './names.ts';

/** What a "no" is on this event; null where Goose blocks nothing. */
export function gooseRefusal(
  event: Event,
  word: string,
  reason = NO_REASON,
): EffectOf<'deny' | 'resume' | 'cancel'> | null {
  if (!BLOCKABLE.has(word)) return null;
  const { effects } = rowOf(event.name);
  if (effects.includes('deny')) return deny(reason);
  return effects.includes('resume') ? resume(reason) : cancel(reason);
}
