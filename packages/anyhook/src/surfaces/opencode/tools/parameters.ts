import { z } from 'zod';
import type { Fields } from '../../../canon/effects.ts';
import type { Field } from './fields.ts';
import { isOptional, schemaOfZod3 } from './zod-3.ts';

/** JSON Schema of a tool's arguments, for the model. */
export function parametersOf(fields: readonly Field[]): Fields {
  const written = fields.map((field) => ({ name: field.name, ...schemaAndNeed(field) }));
  const required = written.filter((field) => !field.isOptional).map(({ name }) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(written.map(({ name, schema }) => [name, schema])),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

function schemaAndNeed(field: Field): { schema: Fields; isOptional: boolean } {
  if (field.kind === 'json') return { schema: field.schema, isOptional: false };
  if (field.kind === 'zod 3')
    return { schema: schemaOfZod3(field.schema), isOptional: isOptional(field.schema) };
  // An object around it: only there zod says whether the field may be left out.
  const { properties, required, $defs } = z.toJSONSchema(z.object({ it: field.schema as never }), {
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      // Another copy of zod keeps its descriptions in a registry that ours does not see.
      const { description } = zodSchema as { description?: string };
      if (description !== undefined) jsonSchema.description ??= description;
    },
  }) as unknown as { properties: { it: Fields }; required?: string[]; $defs?: Fields };
  const schema = $defs === undefined ? properties.it : { ...properties.it, $defs };
  return { schema, isOptional: required?.includes('it') !== true };
}
