import type { Event } from '../canon/event.ts';
import { type Outcome, outcomeOf, type Ruling } from '../canon/outcome.ts';
import { nothingSaid } from '../engine/synchronous.ts';

/** The outcome of an event about which hooks said this much and no more. */
export const outcome = (about: Event, parts: Partial<Ruling> = {}): Outcome =>
  outcomeOf({ ...nothingSaid(about), ...parts }, about.name);
