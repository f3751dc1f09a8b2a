/** The arguments of a tool, field by field: a plugin may have brought its own zod, 3 or 4, or plain JSON Schema. */
import { type AnySchema, jsonSchemaOf, mayBeMissing, schemaIn } from '../../../../modules/schema/index.ts';
import type { Fields } from '../../../../events/effects.ts';

export type Field = AnySchema & { readonly name: string };

export function argumentFields(args: unknown): Field[] {
  if (args === undefined || args === null) return [];
  if (typeof args !== 'object' || Array.isArray(args))
    throw new TypeError(`args must be an object with one zod field for each argument, not ${kindOf(args)}`);
  return Object.entries(shapeOf(args)).map(([name, schema]) => fieldOf(name, schema));
}

/** The fields themselves, or a whole `z.object(…)` of them. */
function shapeOf(args: object): object {
  const isSchema = 'safeParseAsync' in args && 'shape' in args;
  return isSchema ? (args.shape as object) : args;
}

function fieldOf(name: string, schema: unknown): Field {
  if (typeof schema !== 'object' || schema === null)
    throw new TypeError(`args.${name} must be a zod type, not ${kindOf(schema)}`);
  return { name, ...schemaIn(schema) };
}

const kindOf = (value: unknown): string => (Array.isArray(value) ? 'a list' : `${value} (${typeof value})`);

/** JSON Schema of a tool's arguments, for the model. */
export function parametersOf(fields: readonly Field[]): Fields {
  const required = fields.filter((field) => !mayBeMissing(field)).map(({ name }) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map((field) => [field.name, jsonSchemaOf(field)])),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}
