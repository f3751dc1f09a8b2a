import { isEventName } from '../../canon/events.ts';
import type { Broken } from '../../canon/exchange.ts';
import type { Hook, OnFailure } from '../../canon/hook.ts';
import { decides } from '../../canon/roles.ts';

/**
 * Closed where the action can still be refused and the hook had a say in it; a mutator too, or a redaction that broke
 * would let the secret pass. Open elsewhere: refusing what has already happened, or keeping an agent from stopping
 * because a script has a typo, protects nobody.
 */
export function failure(word: string, _why: Broken, { roles }: Hook): OnFailure {
  const hasSay = roles.includes('guard') || roles.includes('mutator');
  return hasSay && isEventName(word) && decides(word) ? 'block' : 'allow';
}
