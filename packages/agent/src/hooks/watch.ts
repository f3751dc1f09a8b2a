/** Reports each running hook and its decision. */

import type { Answer, Event, Hook } from 'anyhook';
import { hookLabel, isBuiltIn } from 'anyhook/views';
import type { Listen } from '../front/happening.ts';

export function watch(listen: Listen) {
  return {
    onStart(hook: Hook, event: Event): void {
      if (isBuiltIn(hook)) return; // The built-in guard is shown only when it refuses.
      const { id, status } = hook;
      listen({
        kind: 'hook',
        id,
        name: hookLabel(hook),
        on: event.name,
        ...(status !== undefined && { status }),
      });
    },
    onEnd(hook: Hook, event: Event, { ms, answer }: { readonly ms: number; readonly answer: Answer }): void {
      const decision = decided(answer);
      if (isBuiltIn(hook) && decision === '') return;
      const { call } = event.ids;
      listen({
        kind: 'hook-ended',
        id: hook.id,
        name: hookLabel(hook),
        on: event.name,
        ms,
        ...(call !== undefined && { call }),
        ...(event.round === 2 && { isSecondRound: true }),
        decided: decision,
      });
    },
  };
}

const WORDS: Readonly<Record<string, string>> = {
  allow: 'allowed',
  ask: 'asks the user',
  defer: 'leaves the decision to the user',
  deny: 'denied',
  context: 'added context',
  notice: 'said something',
  halt: 'stops the agent',
  cancel: 'cancelled',
  resume: 'makes the agent continue',
  retry: 'asks for a retry',
};

/** Returns an empty string if the hook had no effects. */
function decided({ effects, failed }: Answer): string {
  if (failed !== undefined)
    return `failed: ${failed.kind}${failed.detail === undefined ? '' : ` (${failed.detail})`}`;
  const words = effects.map((effect) => {
    if (effect.kind === 'set') return `changed ${effect.at.filter((part) => part !== undefined).join('.')}`;
    if (effect.kind === 'give') return `gave a ${effect.what}`;
    const why = 'reason' in effect && effect.reason ? `: ${effect.reason}` : '';
    return `${WORDS[effect.kind] ?? effect.kind}${why}`;
  });
  return [...new Set(words)].join(', ');
}
