/** The whole road of an event, from the plan to the outcome. */
import { isCompound } from '../canon/acts.ts';
import type { Event } from '../canon/event.ts';
import type { EventName } from '../canon/events.ts';
import type { Ruling } from '../canon/outcome.ts';
import { fireSynchronously, type ContinueFire } from './synchronous.ts';
import type { FireLimits } from './ask.ts';
import { fireEvent, limitsOf } from './fire.ts';
import type { Parts } from './parts.ts';
import { makePlans, type EventPlan } from './plan.ts';
import { vetoEvent, withVetoes } from './vetoes.ts';

export interface Engine {
  readonly wants: (name: EventName) => boolean;
  /**
   * `undefined`: nobody listens. Never rejects because of a hook. `budgetMs`: for all hooks together; that of `Parts` counts
   * if it is less.
   */
  readonly fire: (
    event: Event,
    signal?: AbortSignal,
    budgetMs?: number,
  ) => Ruling | Promise<Ruling> | undefined;
  /** What would be asked, without asking: for `why` and `list`. */
  readonly plan: (event: Event) => EventPlan | undefined;
}

export function makeEngine(parts: Parts): Engine {
  const plans = makePlans(parts);
  /** Made once: a closure per fire would cost as much as a hook. */
  const continueFire: ContinueFire = (event, plan, signal, progress) =>
    fireEvent(event, plan, plans, parts, limitsOf(parts, signal), progress);
  const fireHooks = (event: Event, signal: AbortSignal | undefined, limits: FireLimits | undefined) => {
    const plan = plans.of(event);
    if (plan === undefined) return undefined;
    if (
      plan.synchronous === null ||
      limits !== undefined ||
      signal?.aborted === true ||
      isCompound(event.payload)
    )
      return fireEvent(event, plan, plans, parts, limits ?? limitsOf(parts, signal));
    return fireSynchronously(event, plan, plan.synchronous, parts, signal, continueFire);
  };
  const judgeApproval = (
    approval: Ruling,
    event: Event,
    question: EventName,
    limits: FireLimits | undefined,
    signal: AbortSignal | undefined,
  ) => withVetoes(approval, event, question, plans, parts, limits ?? limitsOf(parts, signal));
  return {
    wants: plans.wants,
    plan: plans.of,
    fire(event, signal, budgetMs) {
      const limits = budgetMs === undefined ? undefined : limitsOf(parts, signal, budgetMs);
      const answer = fireHooks(event, signal, limits);
      const question = vetoEvent(event.name, plans, parts);
      if (question === undefined || answer === undefined) return answer;
      const check = (ruling: Ruling) =>
        ruling.verdict === 'allow' ? judgeApproval(ruling, event, question, limits, signal) : ruling;
      return answer instanceof Promise ? answer.then(check) : check(answer);
    },
  };
}
