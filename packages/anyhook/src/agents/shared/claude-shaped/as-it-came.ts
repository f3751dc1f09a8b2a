import { same } from '../../../events/changes.ts';
import type { Fields } from '../../../events/effects.ts';

/**
 * A document for hooks of the agent that sent it: what came goes on as it came, with all that we have no word for; only
 * what was changed since is written anew. `before` and `now` are its fields, as it came and as the value stands.
 */
export function asItCame(raw: Fields, before: Fields, now: Fields): Fields {
  const changed = Object.entries(now).filter(([key, value]) => !same(before[key], value));
  return { ...raw, ...Object.fromEntries(changed) };
}
