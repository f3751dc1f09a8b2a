/** Hooks that return arbitrary values on every event: the host only gets valid values, and valid values are applied. */

import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { z } from 'zod';
import { apply, same } from '../../src/events/changes.ts';
import type { Effect, Fields, Gift } from '../../src/events/effects.ts';
import type { Event } from '../../src/events/event.ts';
import { EVENT_NAMES, type EventName, rowOf } from '../../src/events/events.ts';
import { GIFTS } from '../../src/events/gifts.ts';
import type { Run } from '../../src/events/outcome.ts';
import { giftSchemaOf, schemaOf } from '../../src/events/validate.ts';
import { anySpec, DIALECTS, hooksOf, type Subject, type Told } from './world.ts';

const SCHEMAS = new Map(EVENT_NAMES.map((name) => [name, schemaOf(name) as z.ZodObject]));
const isSound = (name: EventName, payload: Fields) => SCHEMAS.get(name)!.safeParse(payload).success;
const fieldsOf = (name: EventName) =>
  Object.entries(SCHEMAS.get(name)!.shape as Readonly<Record<string, z.ZodType>>);
const NAMES = EVENT_NAMES.filter((name) => /set|give/.test(rowOf(name).effects.join()));
const LIKELY: readonly unknown[] = [
  'text',
  5,
  250,
  Number.NaN,
  true,
  null,
  undefined,
  [],
  ['text'],
  [5],
  [null],
  {},
  { a: 'text' },
  { a: 5 },
  { content: 'text' },
  { content: [] },
  { content: 5 },
  { summary: 'text' },
  { summary: null },
  { status: 250, headers: { a: 'text' } },
  { status: 5 },
  { headers: { a: 5 } },
];
const anyValue = fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...LIKELY) }, fc.jsonValue());

/** Values that a host may send: each field is valid or, with `anything`, arbitrary. */
const SENT = new Map(
  NAMES.map((name) => {
    const payload = (anything: boolean) =>
      fc.record(
        Object.fromEntries(
          fieldsOf(name).map(([field, schema]) => {
            const fits = LIKELY.filter((value) => value !== undefined && schema.safeParse(value).success);
            const sound = fc.constantFrom(...fits);
            return [field, anything ? fc.oneof(anyValue, sound) : sound];
          }),
        ),
      );
    return [name, fc.oneof(payload(false), payload(true))];
  }),
);

function anyEffect(name: EventName, sent: Fields): fc.Arbitrary<Effect> {
  const { mutable } = rowOf(name);
  const field = fc.constantFrom(...mutable, 'tool');
  const at = fc
    .tuple(field, fc.option(fc.constantFrom('a', 'content', 'new')))
    .map(([whole, key]): [string, string?] => (key === null ? [whole] : [whole, key]));
  return fc.oneof(
    fc.record({ kind: fc.constant('set' as const), at, to: anyValue }),
    fc.record({ kind: fc.constant('set' as const), at }),
    field.map((whole): Effect => ({ kind: 'set', at: [whole], to: sent[whole] })),
    fc.record({
      kind: fc.constant('give' as const),
      what: fc.constantFrom(...(Object.keys(GIFTS) as Gift[])),
      value: anyValue,
    }),
  );
}

const anyCase = fc
  .constantFrom(...NAMES)
  .chain((name) => fc.tuple(fc.constant(name), SENT.get(name)!))
  .chain(([name, sent]) =>
    fc.record({
      name: fc.constant(name),
      sent: fc.constant(sent),
      hooks: fc.array(fc.tuple(anySpec(['silent']), fc.array(anyEffect(name, sent), { maxLength: 3 })), {
        minLength: 1,
        maxLength: 4,
      }),
    }),
  );

export const fitting = (subject: Subject) =>
  fc.asyncProperty(anyCase, async ({ name, sent, hooks: all }) => {
    const hooks = hooksOf(all.map(([spec]) => ({ ...spec, only: null })));
    const outcome = await subject
      .makeEngine({
        dialects: DIALECTS.map((one) => ({ ...one, words: { ...one.words, [name]: [one.name] } })),
        hooks,
        run: (hook) => ({ kind: 'returned', value: all[hooks.indexOf(hook as Told)]![1], args: [] }),
        services: {},
      })
      .fire({ ids: { session: 's' }, scene: { cwd: '/' }, round: 1, name, payload: sent } as Event);
    assertPayload(name, sent, outcome!.payload);
    for (const { what, value } of outcome!.given) {
      assert.ok(rowOf(name).gives?.includes(what), `${what} on ${name}`);
      assert.ok(giftSchemaOf(what).safeParse(value).success, what);
    }
    if (hooks.length === 1) assertFailed(name, sent, all[0]![1], outcome!.runs[0]!);
  });

function assertPayload(name: EventName, sent: Fields, handed: Fields): void {
  for (const [field, schema] of fieldsOf(name)) {
    const [was, is] = [sent[field], handed[field]];
    if (!rowOf(name).mutable.includes(field)) assert.deepEqual(is, was);
    else if (schema.safeParse(was).success) assert.ok(schema.safeParse(is).success, `${name}.${field}`);
    else if (!same(was, is)) assert.ok(fitsBut(schema, was, is), `${name}.${field} beside what was sent`);
  }
}

/** Parts that the host itself sent are not checked. */
function fitsBut(schema: z.ZodType, was: unknown, is: unknown): boolean {
  const had: unknown[] = typeof was === 'object' && was !== null ? Object.values(was) : [];
  const isNew = (value: unknown) => !had.some((one) => same(one, value));
  if (Array.isArray(is)) return schema.safeParse(is.filter(isNew)).success;
  if (typeof is !== 'object' || is === null) return schema.safeParse(is).success;
  const fresh = Object.entries(is).filter(([, value]) => isNew(value));
  return schema.safeParse(Object.fromEntries(fresh)).success;
}

/** About a payload that fits, zod knows what makes sense; about any, that what is passed on is no fault. */
function assertFailed(name: EventName, sent: Fields, said: readonly Effect[], { answer }: Run): void {
  const senseless = said.filter((effect) => !makesSense(name, sent, effect));
  if (senseless.length === 0 || isSound(name, sent))
    assert.equal(answer!.failed?.kind, senseless.length === 0 ? undefined : 'unreadable');
}
function makesSense(name: EventName, sent: Fields, effect: Effect): boolean {
  const { mutable, gives } = rowOf(name);
  if (effect.kind === 'give')
    return gives?.includes(effect.what) !== true || giftSchemaOf(effect.what).safeParse(effect.value).success;
  if (effect.kind !== 'set' || !mutable.includes(effect.at[0])) return true;
  const wanted = apply(sent, [effect]);
  return same(wanted, sent) || isSound(name, wanted);
}
