/** The whole road of an event, from the plan to the outcome. */
import type { Event } from '../canon/event.ts';
import type { EventName } from '../canon/events.ts';
import type { Outcome } from '../canon/outcome.ts';
import { type DirectHook, directHooks, fireDirect, type Head } from './direct.ts';
import { fire } from './fire.ts';
import type { Parts } from './parts.ts';
import { makePlans, type Plan } from './plan.ts';

export interface Engine {
  readonly wants: (name: EventName) => boolean;
  /** `undefined`: nobody listens. Never rejects because of a hook. */
  readonly fire: (event: Event, signal?: AbortSignal) => Outcome | Promise<Outcome> | undefined;
  /** What would be asked, without asking: for `why` and `list`. */
  readonly plan: (event: Event) => Plan | undefined;
}

export function makeEngine(parts: Parts): Engine {
  const plans = makePlans(parts);
  const direct = new WeakMap<Plan, readonly DirectHook[] | null>();
  const shortWay = (plan: Plan, name: EventName) => {
    let hooks = direct.get(plan);
    if (hooks === undefined) {
      const { shadow, onStart, onEnd, budgetMs } = parts;
      const watchedOver = shadow === true || (onStart ?? onEnd ?? budgetMs) !== undefined;
      direct.set(plan, (hooks = watchedOver ? null : (directHooks(plan.groups, name) ?? null)));
    }
    return hooks;
  };
  return {
    wants: plans.wants,
    plan: plans.of,
    fire(event, signal) {
      const plan = plans.of(event);
      if (plan === undefined) return undefined;
      const hooks = signal?.aborted === true ? null : shortWay(plan, event.name);
      if (hooks === null) return fire(event, plan, plans, parts, signal);
      const takeOver = (head: Head) => fire(event, plan, plans, parts, signal, head);
      return fireDirect(event, hooks, plan.unmatched, parts, signal, takeOver);
    },
  };
}
