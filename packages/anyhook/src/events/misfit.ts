/** Checks the values that hooks return against the event's row. Payloads from hosts are not checked. */

import type { ZodType } from 'zod';
import { apply } from './changes.ts';
import { typeNameOf, pathText } from './checker.ts';
import type { Change, Effect, EffectOf, Fields } from './effects.ts';
import type { Event } from './event.ts';
import { EVENTS, rowOf } from './events.ts';
import { GIFTS } from './gifts.ts';
import { expectedBy, isOptionalField, type Misfit, misfitIn, schemaFrom } from './schema-misfit.ts';

/**
 * Returns a message about the value, or undefined if it fits. Effects that do not count on the event are
 * ignored elsewhere.
 */
export function misfitOf(effect: Effect, event: Event): string | undefined {
  if (effect.kind === 'set') return changeMisfit(effect, event);
  return effect.kind === 'give' ? giftMisfit(effect, event) : undefined;
}

/**
 * Checks the whole field after the change, so that setting a key, removing a key and replacing the value are
 * one case.
 */
function changeMisfit(change: Change, { name, payload }: Event): string | undefined {
  const [field] = change.at;
  if (!rowOf(name).mutable.includes(field)) return undefined;
  const shape: Readonly<Record<string, ZodType>> = schemaFrom(EVENTS[name].payload).shape;
  const schema = shape[field]!; // a test checks that every mutable field is in the payload
  const before = payload as Fields;
  const after = apply(before, [change]);
  if (!Object.hasOwn(after, field))
    return isOptionalField(schema) || !Object.hasOwn(before, field)
      ? undefined
      : `"${field}" of ${name} cannot be removed, expected ${expectedBy(schema)}`;
  const found = misfitIn(schema, after[field], Object.hasOwn(before, field) ? [before[field]] : []);
  return found && `"${pathText([field, ...found.path])}" of ${name} ${inWords(found)}`;
}

function giftMisfit({ what, value }: EffectOf<'give'>, { name }: Event): string | undefined {
  if (rowOf(name).gives?.includes(what) !== true) return undefined;
  const found = misfitIn(schemaFrom<ZodType>(GIFTS[what].value), value, []);
  return found && `the gift "${pathText([what, ...found.path])}" ${inWords(found)}`;
}

const inWords = ({ value, expected }: Misfit): string => `must be ${expected}, got ${typeNameOf(value)}`;
