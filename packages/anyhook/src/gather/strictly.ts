import type { Event } from '../events/event.ts';
import { type Outcome, outcomeOf } from '../events/outcome.ts';
import { decides } from '../events/roles.ts';

/** Refuses a call, if possible, when the agent can apply only a part of what hooks request. */
export function strictly(outcome: Outcome, { name, payload }: Pick<Event, 'name' | 'payload'>): Outcome {
  const lost = outcome.lost.filter((what) => !what.startsWith('allow:')); // a lost allow only causes another question
  if (lost.length === 0 || outcome.verdict === 'deny' || !decides(name)) return outcome;
  const text = `this agent cannot do what hooks ask for: ${lost.join('; ')}`;
  const reasons = [{ by: 'host', text }];
  return outcomeOf({ ...outcome, verdict: 'deny', reasons, payload: { ...payload }, changed: [] }, name);
}
