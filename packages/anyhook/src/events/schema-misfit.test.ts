import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { misfitIn, schemaFrom } from './schema-misfit.ts';

describe('a misfit names', () => {
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
    [{ list: ['a', 5] }, ['list', 1], 5, 'a string'],
    [{ list: {} }, ['list'], {}, 'a list'],
    [{ env: { A: 'a', B: null } }, ['env', 'B'], null, 'a string'],
    [{ env: [] }, ['env'], [], 'an object'],
    [{ either: 5 }, ['either'], 5, 'a string or an object'],
    [{ either: { content: 5 } }, ['either', 'content'], 5, 'a string'],
    [{ status: 2 }, ['status'], 2, 'a whole number from 200 to 599'],
    [{ gone: 5 }, ['gone'], 5, 'a string or null'],
  ])('the innermost invalid part of %j', (part, path, value, expected) => {
    expect(misfitIn(schemaFrom(row), { ...sound, ...part }, [])).toEqual({ path, value, expected });
  });

  test('nothing that the hook received itself, at any index', () => {
    const misfit = (value: object, shown: readonly unknown[]) => misfitIn(schemaFrom(row), value, shown);
    const was = [{ ...sound, list: [5, 'a'], env: { A: 5 }, status: 'x' }];
    const kept = { ...sound, list: ['a', 'b', 5], env: { A: 5, B: 'b' }, status: 'x' };
    expect(misfit(kept, was)).toBeUndefined();
    expect(misfit({ ...kept, env: { A: 5, B: 5 } }, was)).toEqual({
      path: ['env', 'B'],
      value: 5,
      expected: 'a string',
    });
  });
});
