/** Lists which hooks would run for an event and why, without running any. */

import type { Engine } from '../engine/engine.ts';
import { fitOf, isOpaque } from '../engine/fit.ts';
import { eventViewOf } from '../engine/views.ts';
import type { Event } from '../events/event.ts';
import type { EventName } from '../events/events.ts';
import type { Hook } from '../events/hook.ts';

export interface FirePlan {
  readonly event: Event;
  readonly asked: readonly {
    readonly hook: Hook;
    readonly as: EventName;
    readonly matches: boolean;
    readonly why: string;
    /** Why the matcher cannot decide. The policy of the hook decides instead. */
    readonly opaque?: string;
    /** What matched, if it is in a file that the command runs. */
    readonly found?: string;
  }[];
  /** Hooks of this event whose matcher does not match its subject. */
  readonly unmatched: readonly string[];
}

export function explain(engine: Engine, event: Event): FirePlan {
  const plan = engine.plan(event);
  const asked = (plan?.groups ?? []).flatMap((group) =>
    group.hooks.map((hook) => {
      const { whole, acts } = eventViewOf(event, group);
      const events = [whole, ...acts];
      const reasons = events.map((one) => whyNot(hook, one));
      const why = reasons.includes('') ? '' : reasons[0]!;
      const opaque = events.flatMap((one) => (one === null ? [] : fitOf(hook, one))).find(isOpaque)?.opaque;
      const found = events
        .flatMap((one) => (one === null ? [] : fitOf(hook, one)))
        .find((fit) => typeof fit === 'object' && 'matched' in fit)?.matched;
      return {
        hook,
        as: group.knownAs,
        matches: why === '',
        why,
        ...(opaque !== undefined && { opaque }),
        ...(found !== undefined && { found }),
      };
    }),
  );
  return { event, asked, unmatched: plan?.unmatched ?? [] };
}

function whyNot(hook: Hook, event: Event | null): string {
  if (hook.run.kind === 'missing') return hook.run.why.detail ?? hook.run.why.kind;
  if (event === null) return 'not this time';
  return fitOf(hook, event) === false
    ? `the matcher ${hook.matcher ?? ''} does not fit what it is asked to do`
    : '';
}
