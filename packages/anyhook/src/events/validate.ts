/** The tables' payloads and gifts as zod schemas. Loads zod: only who validates or prints schemas imports this. */
import { z } from 'zod';
import { EVENTS, type EventName } from './events.ts';
import { type Gift, GIFTS } from './gifts.ts';

export const schemaOf = (name: EventName) => EVENTS[name].payload(z);
export const giftSchemaOf = (what: Gift) => GIFTS[what].value(z);

/** What is wrong with a payload, one line each; empty when nothing is. Extra fields are welcome. */
export function faultsIn(name: EventName, payload: unknown): string[] {
  const result = schemaOf(name).safeParse(payload);
  return result.success ? [] : result.error.issues.map((i) => `${name}.${i.path.join('.')}: ${i.message}`);
}
