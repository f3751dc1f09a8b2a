import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { EVENT_NAMES, EVENTS } from './events.ts';
import { type Gift, GIFTS } from './gifts.ts';
import { plainSchema } from './plain-schema.ts';

const ROWS: [string, (zod: typeof z) => z.ZodType][] = [
  ...EVENT_NAMES.map((name): [string, (zod: typeof z) => z.ZodType] => [name, EVENTS[name].payload]),
  ...(Object.keys(GIFTS) as Gift[]).map((what): [string, (zod: typeof z) => z.ZodType] => [
    `the gift ${what}`,
    GIFTS[what].value,
  ]),
];

describe.each(ROWS)('%s', (_name, row) => {
  const schema = row(z);
  const fields = schema instanceof z.ZodObject ? Object.keys(schema.shape) : ['content', 'summary'];
  const value = fc.oneof(
    fc.constantFrom('text', 5, 250, Number.NaN, Infinity, 0.5, true, null, undefined, [], ['a'], [5], {}),
    fc.jsonValue(),
    fc.dictionary(fc.constantFrom('a', 'b'), fc.constantFrom('text', 5)),
  );
  const payload = fc.oneof(
    value,
    fc.record(Object.fromEntries(fields.map((field) => [field, value])), { requiredKeys: [] }),
  );

  test('is understood without zod as zod understands it', () => {
    fc.assert(
      fc.property(payload, (one) => {
        expect(plainSchema(row).misfit(one, []) === undefined).toBe(schema.safeParse(one).success);
      }),
      { numRuns: 500 },
    );
  });
});

test('a word of zod that has no plain check is an error, not a pass', () => {
  expect(() => plainSchema((zod) => zod.date())).toThrow(TypeError);
});

describe('of what does not fit is named', () => {
  const row = (zod: typeof z) =>
    zod.object({
      list: zod.array(zod.string()),
      env: zod.record(zod.string(), zod.string()),
      either: zod.union([zod.string(), zod.object({ content: zod.string() })]),
      status: zod.number().int().min(200).max(599),
      gone: zod.string().nullable().optional(),
    });
  const sound = { list: ['a'], env: { A: 'a' }, either: 'a', status: 200, gone: null };

  test.each([
    [{ list: ['a', 5] }, ['list', 1], 5, 'a text'],
    [{ list: {} }, ['list'], {}, 'a list'],
    [{ env: { A: 'a', B: null } }, ['env', 'B'], null, 'a text'],
    [{ env: [] }, ['env'], [], 'an object'],
    [{ either: 5 }, ['either'], 5, 'a text or an object'],
    [{ either: { content: 5 } }, ['either', 'content'], 5, 'a text'],
    [{ status: 2 }, ['status'], 2, 'a whole number from 200 to 599'],
    [{ gone: 5 }, ['gone'], 5, 'a text or null'],
  ])('the innermost part of %j', (part, path, value, expected) => {
    expect(plainSchema(row).misfit({ ...sound, ...part }, [])).toEqual({ path, value, expected });
  });

  test('nothing that was there before, wherever it stands', () => {
    const { misfit } = plainSchema(row);
    const was = [{ ...sound, list: [5, 'a'], env: { A: 5 }, status: 'x' }];
    const kept = { ...sound, list: ['a', 'b', 5], env: { A: 5, B: 'b' }, status: 'x' };
    expect(misfit(kept, was)).toBeUndefined();
    expect(misfit({ ...kept, env: { A: 5, B: 5 } }, was)).toEqual({
      path: ['env', 'B'],
      value: 5,
      expected: 'a text',
    });
  });
});
