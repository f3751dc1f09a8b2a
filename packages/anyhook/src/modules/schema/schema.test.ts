import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { jsonSchemaOf, mayBeMissing, schemaIn } from './index.ts';
import { schemaOfZod4 } from './zod-4.ts';

const everything = z.object({
  name: z.string().min(1).max(9).describe('whom'),
  times: z.number().int().min(1).max(9).default(2),
  ratio: z.number().optional(),
  mode: z.enum(['a', 'b']).nullable(),
  list: z.array(z.union([z.string(), z.literal(1)])).max(3),
  deep: z.record(z.string(), z.boolean()).optional(),
  made: z.string().transform(Number),
});
const WRITTEN = {
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 1, maxLength: 9, description: 'whom' },
    times: { type: 'integer', minimum: 1, maximum: 9, default: 2 },
    ratio: { type: 'number' },
    mode: { anyOf: [{ type: 'string', enum: ['a', 'b'] }, { type: 'null' }] },
    list: { type: 'array', items: { anyOf: [{ type: 'string' }, { const: 1 }] }, maxItems: 3 },
    deep: { type: 'object', additionalProperties: { type: 'boolean' } },
    made: { type: 'string' },
  },
  required: ['name', 'mode', 'list', 'made'],
};

describe('the schema of a tool', () => {
  test('a zod 4 schema is read from its definition if zod itself cannot convert it', () => {
    expect(schemaOfZod4(everything as never)).toEqual(WRITTEN);
    const odd = z.string().describe('odd');
    Object.assign(odd._zod, {
      toJSONSchema() {
        throw new Error('a writer of another copy');
      },
    });
    expect(jsonSchemaOf(schemaIn(odd))).toEqual({ type: 'string', description: 'odd' });
  });

  test('the conversion of a recursive schema terminates', () => {
    const tree: z.ZodType = z.object({ leaves: z.array(z.lazy(() => tree)) });
    expect(schemaOfZod4(tree as never)).toEqual({
      type: 'object',
      properties: { leaves: { type: 'array', items: {} } },
      required: ['leaves'],
    });
  });

  test('the schema lists which arguments are optional', () => {
    const kinds = [z.string(), z.string().optional(), z.string().default('x'), z.string().nullable()];
    expect(kinds.map((kind) => mayBeMissing(schemaIn(kind)))).toEqual([false, true, true, false]);
  });

  test('other schemas are used as is, or converted by their own method', () => {
    const plain = { type: 'object', properties: {} };
    expect(jsonSchemaOf(schemaIn(plain))).toBe(plain);
    expect(jsonSchemaOf(schemaIn({ toJsonSchema: () => plain }))).toBe(plain);
  });
});
