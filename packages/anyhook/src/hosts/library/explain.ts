/** What would be asked about an event, and why or why not: without asking anybody. */
import type { Event } from '../../canon/event.ts';
import type { EventName } from '../../canon/events.ts';
import type { Hook } from '../../canon/hook.ts';
import type { Engine } from '../../engine/engine.ts';
import { sightOf } from '../../engine/views.ts';

export interface Explained {
  readonly event: Event;
  readonly asked: readonly {
    readonly hook: Hook;
    readonly as: EventName;
    readonly matches: boolean;
    readonly why: string;
  }[];
  /** Hooks of this event whose matcher does not fit its subject. */
  readonly unmatched: readonly string[];
}

export function explain(engine: Engine, event: Event): Explained {
  const plan = engine.plan(event);
  const asked = (plan?.groups ?? []).flatMap(({ hooks, as }) =>
    hooks.map((hook) => {
      const { whole, acts } = sightOf(event, as);
      const reasons = [whole, ...acts].map((seen) => whyNot(hook, seen));
      const why = reasons.includes('') ? '' : reasons[0]!;
      return { hook, as, matches: why === '', why };
    }),
  );
  return { event, asked, unmatched: plan?.unmatched ?? [] };
}

function whyNot(hook: Hook, event: Event | null): string {
  if (hook.run.kind === 'missing') return hook.run.why.detail ?? hook.run.why.kind;
  if (event === null) return 'not this time';
  try {
    return (hook.when?.(event) ?? true)
      ? ''
      : `the matcher ${hook.matcher ?? ''} does not fit what it is asked to do`;
  } catch {
    return ''; // in doubt it runs
  }
}
