/** Runs the hooks of an event and returns their common ruling. */

import type { Event } from '../events/event.ts';
import type { EventName } from '../events/events.ts';
import type { Ruling } from '../events/outcome.ts';
import { fireEvent, limitsOf } from './fire.ts';
import type { Parts } from './parts.ts';
import { type EventPlan, makePlans } from './plan.ts';
import { vetoEvent, withVetoes } from './vetoes.ts';

export interface Engine {
  readonly wants: (name: EventName) => boolean;
  /**
   * Returns undefined if no hook listens. Never rejects because of a hook. `budgetMs` limits all hooks
   * together; a lower limit in `Parts` takes precedence.
   */
  readonly fire: (event: Event, signal?: AbortSignal, budgetMs?: number) => Promise<Ruling> | undefined;
  /** Runs the hooks that may veto an approval which was not given by a hook. */
  readonly veto: (approved: Ruling, event: Event, signal?: AbortSignal, budgetMs?: number) => Promise<Ruling>;
  /** Returns the hooks that an event would reach, without running them, for `why` and `list`. */
  readonly plan: (event: Event) => EventPlan | undefined;
}

export function makeEngine(parts: Parts): Engine {
  const plans = makePlans(parts);
  return {
    wants: plans.wants,
    plan: plans.of,
    async veto(approved, event, signal, budgetMs) {
      const question = vetoEvent(event.name, plans, parts);
      if (question === undefined || approved.verdict !== 'allow') return approved;
      return withVetoes(approved, event, question, plans, parts, limitsOf(parts, signal, budgetMs));
    },
    fire(event, signal, budgetMs) {
      const plan = plans.of(event);
      if (plan === undefined) return undefined;
      const limits = limitsOf(parts, signal, budgetMs);
      const answer = fireEvent(event, plan, plans, parts, limits);
      const question = vetoEvent(event.name, plans, parts);
      if (question === undefined) return answer;
      return answer.then((ruling) =>
        ruling.verdict === 'allow' ? withVetoes(ruling, event, question, plans, parts, limits) : ruling,
      );
    },
  };
}
