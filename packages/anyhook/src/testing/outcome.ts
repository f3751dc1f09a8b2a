import type { Event } from '../events/event.ts';
import { type Outcome, outcomeOf, type Ruling, silentOutcome } from '../events/outcome.ts';

/** Builds the outcome of an event with the given parts and defaults for the rest. */
export const outcome = (about: Event, parts: Partial<Ruling> = {}): Outcome =>
  outcomeOf({ ...silentOutcome(about), ...parts }, about.name);

/** A ruling without any effect, except for the given parts. */
export const ruling = (parts: Partial<Ruling> = {}): Ruling => ({
  verdict: 'none',
  reasons: [],
  payload: {},
  changed: [],
  voided: [],
  said: [],
  given: [],
  flow: {},
  lost: [],
  runs: [],
  unmatched: [],
  aborted: false,
  ...parts,
});
