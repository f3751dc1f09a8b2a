/** The effect of a refusal on each event. */

import { cancel, context, deny, type Effect, halt, notice, resume } from '../../../events/effects.ts';
import { type EventName, rowOf } from '../../../events/events.ts';
import { NO_REASON } from '../../../events/proceed.ts';
import type { ClaudeBlock } from './event-row.ts';

export function blocked(block: ClaudeBlock, text: string | undefined): Effect[] {
  const reason = text?.trim() || undefined;
  switch (block) {
    case 'deny':
      return [deny(reason ?? NO_REASON)];
    case 'cancel':
      return [cancel(reason ?? NO_REASON)];
    case 'halt':
      return [halt(reason ?? NO_REASON), ...(reason === undefined ? [] : [context(reason)])];
    case 'resume':
      return [resume(reason ?? NO_REASON)];
    case 'tell-model':
      return reason === undefined ? [] : [context(reason)];
    case 'tell-person':
      return reason === undefined ? [] : [notice(reason)];
    case 'nothing':
      return [];
  }
}

/** `continue: false` ends the turn. On events of ours that cannot end a turn, it refuses. */
export function stopped(name: EventName, reason: string | undefined): Effect {
  const { effects } = rowOf(name);
  if (effects.includes('halt')) return halt(reason);
  if (effects.includes('deny')) return deny(reason ?? NO_REASON);
  return effects.includes('cancel') ? cancel(reason ?? NO_REASON) : halt(reason);
}
