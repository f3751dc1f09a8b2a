/** What would be asked about an event, and why or why not: without asking anybody. */
import type { Event } from '../../canon/event.ts';
import type { EventName } from '../../canon/events.ts';
import type { Fit, Hook } from '../../canon/hook.ts';
import { NEAREST } from '../../canon/nearest.ts';
import type { Engine } from '../../engine/engine.ts';

export interface Explained {
  readonly event: Event;
  readonly asked: readonly {
    readonly hook: Hook;
    readonly as: EventName;
    readonly matches: boolean;
    readonly why: string;
    /** The matcher cannot tell, and why: its policy decides. */
    readonly opaque?: string;
  }[];
  /** Hooks of this event whose matcher does not fit its subject. */
  readonly unmatched: readonly string[];
}

export function explain(engine: Engine, event: Event): Explained {
  const plan = engine.plan(event);
  const asked = (plan?.groups ?? []).flatMap(({ hooks, as }) =>
    hooks.map((hook) => {
      const payload = as === event.name ? event.payload : (NEAREST[as]?.as(event.payload) ?? null);
      const seen = payload === null ? null : ({ ...event, name: as, payload } as Event);
      const why = whyNot(hook, seen);
      const fit = seen === null ? false : fitOf(hook, seen);
      return { hook, as, matches: why === '', why, ...(typeof fit === 'object' && { opaque: fit.opaque }) };
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

function fitOf(hook: Hook, event: Event): Fit {
  try {
    return hook.when?.(event) ?? true;
  } catch {
    return true; // in doubt it runs
  }
}
