/** Is a hook about what it is shown? Its matcher says yes, no, or that it cannot tell: then a policy decides. */
import type { Dialect } from '../events/dialect.ts';
import type { Event } from '../events/event.ts';
import type { Fit, Hook, OnOpaque } from '../events/hook.ts';

/** A matcher that throws is in doubt, and in doubt the hook runs. */
export function fitOf(hook: Hook, now: Event): Fit {
  try {
    return hook.when?.(now) ?? true;
  } catch {
    return true;
  }
}

/** What it means when the matcher cannot tell: the hook's own word, else its dialect's rule. */
export const opaquePolicy = (hook: Hook, dialect: Dialect): OnOpaque =>
  hook.opaque ?? dialect.opaque?.(hook.on, hook) ?? 'run';

/** It is asked about this, or its policy speaks for it. */
export function isAsked(hook: Hook, dialect: Dialect, now: Event): boolean {
  const fit = fitOf(hook, now);
  return typeof fit === 'boolean' ? fit : opaquePolicy(hook, dialect) !== 'allow';
}
