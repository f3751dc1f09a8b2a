import { same } from '../../../events/changes.ts';
import type { Fields } from '../../../events/effects.ts';

/**
 * Builds the payload for hooks of the agent that sent it. The native payload is kept, including unknown fields; only
 * changed fields are rewritten. `before` and `now` are the fields before and after the change.
 */
export function asItCame(raw: Fields, before: Fields, now: Fields): Fields {
  const changed = Object.entries(now).filter(([key, value]) => !same(before[key], value));
  return { ...raw, ...Object.fromEntries(changed) };
}
