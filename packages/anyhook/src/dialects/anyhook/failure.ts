import { isEventName } from '../../canon/events.ts';
import type { FailureKind } from '../../canon/exchange.ts';
import type { Hook, OnFailure, OnOpaque } from '../../canon/hook.ts';
import { decides } from '../../canon/roles.ts';

/**
 * Closed where the action can still be refused and the hook had a say in it; a mutator too, or a redaction that broke
 * would let the secret pass. Open elsewhere: refusing what has already happened, or keeping an agent from stopping
 * because a script has a typo, protects nobody.
 */
export function failure(word: string, _why: FailureKind, { roles }: Hook): OnFailure {
  const hasSay = roles.includes('guard') || roles.includes('mutator');
  return hasSay && isEventName(word) && decides(word) ? 'block' : 'allow';
}

/** Where a question still helps, a guard whose matcher cannot tell is one; elsewhere it costs nothing to be asked. */
export function opaque(word: string, { roles, background }: Hook): OnOpaque {
  return roles.includes('guard') && !background && isEventName(word) && decides(word) ? 'ask' : 'run';
}
