import type { Event } from '../events/event.ts';
import { type Outcome, outcomeOf, type Ruling, silentOutcome } from '../events/outcome.ts';

/** The outcome of an event about which hooks said this much and no more. */
export const outcome = (about: Event, parts: Partial<Ruling> = {}): Outcome =>
  outcomeOf({ ...silentOutcome(about), ...parts }, about.name);
