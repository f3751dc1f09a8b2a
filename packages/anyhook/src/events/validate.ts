/**
 * The tables' payloads and gifts as zod schemas. Loads zod, so only validation and schema generation import
 * this module.
 */

import { z } from 'zod';
import { EVENTS, type EventName } from './events.ts';
import { type Gift, GIFTS } from './gifts.ts';

export const schemaOf = (name: EventName) => EVENTS[name].payload(z);
export const giftSchemaOf = (what: Gift) => GIFTS[what].value(z);

/** Returns the problems of a payload, one line each. Extra fields are allowed. */
export function faultsIn(name: EventName, payload: unknown): string[] {
  const result = schemaOf(name).safeParse(payload);
  return result.success ? [] : result.error.issues.map((i) => `${name}.${i.path.join('.')}: ${i.message}`);
}
