import type { Fields } from '../../../canon/effects.ts';
import { jsonSchemaOf, mayBeMissing } from '../../../assembly/foreign-modules/schema/index.ts';
import type { Field } from './fields.ts';

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
