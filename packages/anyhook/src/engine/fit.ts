/** Checks whether a hook's matcher selects an event. If the matcher cannot tell, a policy decides. */

import type { Dialect } from '../events/dialect.ts';
import type { Event } from '../events/event.ts';
import type { Fit, Hook, OnOpaque } from '../events/hook.ts';

/** If the matcher throws, the hook runs. */
export function fitOf(hook: Hook, now: Event): Fit {
  try {
    return hook.when?.(now) ?? true;
  } catch {
    return true;
  }
}

export const isOpaque = (fit: Fit): fit is { readonly opaque: string } =>
  typeof fit === 'object' && 'opaque' in fit;

/** Returns the policy for a matcher that cannot tell: the hook's own, or the rule of its dialect. */
export const opaquePolicy = (hook: Hook, dialect: Dialect): OnOpaque =>
  hook.opaque ?? dialect.opaque?.(hook.on, hook) ?? 'run';

/** Returns true if the hook runs, or if its policy answers for it. */
export function isAsked(hook: Hook, dialect: Dialect, now: Event): boolean {
  const fit = fitOf(hook, now);
  return isOpaque(fit) ? opaquePolicy(hook, dialect) !== 'allow' : fit !== false;
}
