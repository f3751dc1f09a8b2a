import type { Event } from '../events/event.ts';
import { type Outcome, outcomeOf } from '../events/outcome.ts';
import { decides } from '../events/roles.ts';

/** Where the agent could follow only a part of what hooks ask for, the call is refused, if it can be refused at all. */
export function strictly(outcome: Outcome, { name, payload }: Pick<Event, 'name' | 'payload'>): Outcome {
  const lost = outcome.lost.filter((what) => !what.startsWith('allow:')); // to be asked once more loosens nothing
  if (lost.length === 0 || outcome.verdict === 'deny' || !decides(name)) return outcome;
  const text = `this agent cannot do what hooks ask for: ${lost.join('; ')}`;
  const reasons = [{ by: 'host', text }];
  return outcomeOf({ ...outcome, verdict: 'deny', reasons, payload: { ...payload }, changed: [] }, name);
}
