/** Validates an effect from outside: reads every field once, copies it, and names invalid ones. */

import { isPlain } from '../../../events/changes.ts';
import { suggestion, shown } from '../../../events/checker.ts';
import { type Effect, EFFECT_KINDS, type EffectKind, type Fields } from '../../../events/effects.ts';
import type { Event } from '../../../events/event.ts';
import { type EventName, rowOf } from '../../../events/events.ts';
import { GIFTS, isGift } from '../../../events/gifts.ts';

/** An invalid answer. Caught where answers are read. */
export class Nonsense extends Error {}

const isText = (value: unknown): value is string => typeof value === 'string';
const isMissing = (value: unknown): boolean => value === undefined;
type Test = (value: unknown) => boolean;

const why: Readonly<Record<string, Test>> = { reason: (value) => isMissing(value) || isText(value) };
const words: Readonly<Record<string, Test>> = { text: isText };
const PLACE = '[field] or [field, key]';
const isAt: Test = (at) => Array.isArray(at) && (at.length === 1 || at.length === 2) && at.every(isText);

/** The type requires an entry for every kind of effect. */
const FIELDS: Record<EffectKind, Readonly<Record<string, Test>>> = {
  allow: why,
  ask: why,
  defer: why,
  deny: why,
  set: { at: isAt, to: () => true },
  context: words,
  notice: words,
  halt: why,
  cancel: why,
  resume: why,
  retry: why,
  give: { what: isText, value: () => true },
};

/** Throws `Nonsense`. */
export const readEffects = (values: readonly unknown[], { name }: Event): readonly Effect[] =>
  values.map((value) => {
    const effect = readEffect(value);
    if (effect.kind === 'set') checkChange(effect.at[0], name);
    return effect;
  });

/** A change of an unknown field would let the unchanged action run. Throws `Nonsense`. */
export function checkChange(field: string, name: EventName): void {
  const { mutable } = rowOf(name);
  if (mutable.length === 0) throw new Nonsense(`${name} has no fields that can be changed`);
  if (!mutable.includes(field))
    throw new Nonsense(`${shown(field)} of ${name} cannot be changed. ${suggestion(field, mutable)}`);
}

function readEffect(value: unknown): Effect {
  if (!isPlain(value)) {
    const what = typeof value === 'function' ? 'a function' : shown(value);
    throw new Nonsense(`${what} is not an effect; expected an object with a kind, such as {"kind":"deny"}`);
  }
  const native: Fields = { ...value };
  const { kind } = native;
  if (kind === undefined)
    throw new Nonsense(`${shown(value)} has no effect kind. Known: ${EFFECT_KINDS.join(', ')}.`);
  if (!isText(kind) || !Object.hasOwn(FIELDS, kind))
    throw new Nonsense(`unknown effect kind ${shown(kind)}. ${suggestion(String(kind), EFFECT_KINDS)}`);
  const fields = FIELDS[kind as EffectKind];
  for (const key of Object.keys(native))
    if (key !== 'kind' && !Object.hasOwn(fields, key))
      throw new Nonsense(`${kind}: unknown key ${shown(key)}. ${suggestion(key, Object.keys(fields))}`);
  for (const [key, test] of Object.entries(fields))
    if (!test(native[key]))
      throw new Nonsense(
        `${kind}: "${key}" is ${shown(native[key])}; expected ${key === 'at' ? PLACE : 'a text'}`,
      );
  const { what } = native;
  if (kind === 'give' && isText(what) && !isGift(what))
    throw new Nonsense(`give: unknown gift ${shown(what)}. ${suggestion(what, Object.keys(GIFTS))}`);
  const known = Object.entries(native).filter(([key, part]) => key !== 'reason' || part !== undefined);
  return Object.fromEntries(known) as unknown as Effect; // each field was tested above
}
