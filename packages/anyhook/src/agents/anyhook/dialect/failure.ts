import { isEventName, rowOf } from '../../../events/events.ts';
import type { FailureKind } from '../../../events/exchange.ts';
import type { Hook, OnFailure, OnOpaque } from '../../../events/hook.ts';
import { decides } from '../../../events/roles.ts';

/**
 * Closed where the action can still be refused and the hook is a guard or a mutator. A hook that is a mutator only is closed
 * after a call too, and the result is withheld, because the hook may have been there to redact it. Open elsewhere:
 * to keep an agent from stopping because a script has a typo protects nobody.
 */
export function failure(word: string, _why: FailureKind, { roles }: Hook): OnFailure {
  if (!isEventName(word)) return 'allow';
  const isMutator = roles.includes('mutator');
  if (isMutator && roles.length === 1 && rowOf(word).withheld !== undefined) return 'block';
  return (isMutator || roles.includes('guard')) && decides(word) ? 'block' : 'allow';
}

/** Where a question still helps, a guard whose matcher cannot tell is one; elsewhere it costs nothing to be asked. */
export function opaque(word: string, { roles, background }: Hook): OnOpaque {
  return roles.includes('guard') && !background && isEventName(word) && decides(word) ? 'ask' : 'run';
}
