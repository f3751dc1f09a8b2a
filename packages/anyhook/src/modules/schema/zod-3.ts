/**
 * Converts a zod 3 type to JSON Schema. Constraints that JSON Schema cannot express are omitted; the type itself still
 * checks them.
 */

import type { Fields } from '../../events/effects.ts';

interface Zod3 {
  readonly _def: Fields;
  readonly description?: string;
  readonly shape?: Readonly<Record<string, Zod3>>;
  isOptional?(): boolean;
}

export const isOptionalZod3 = (type: Zod3): boolean => type.isOptional?.() === true;

export function schemaOfZod3(type: Zod3): Fields {
  const write = WRITERS[String(type._def['typeName'])];
  const schema = write === undefined ? {} : write(type._def, type);
  return type.description === undefined ? schema : { ...schema, description: type.description };
}

const inner = (def: Fields, key = 'innerType'): Fields => schemaOfZod3(def[key] as Zod3);
const each = (types: unknown): Fields[] => (types as Zod3[]).map(schemaOfZod3);

const WRITERS: Readonly<Record<string, (def: Fields, type: Zod3) => Fields>> = {
  ZodString: (def) => ({ type: 'string', ...checks(def, STRING_CHECKS) }),
  ZodNumber: (def) => ({ type: 'number', ...checks(def, NUMBER_CHECKS) }),
  ZodBigInt: () => ({ type: 'integer' }),
  ZodBoolean: () => ({ type: 'boolean' }),
  ZodNull: () => ({ type: 'null' }),
  ZodLiteral: (def) => ({ const: def['value'] }),
  ZodEnum: (def) => ({ type: 'string', enum: def['values'] }),
  ZodNativeEnum: (def) => ({ enum: enumValues(def['values'] as Fields) }),
  ZodArray: (def) => ({ type: 'array', items: inner(def, 'type'), ...lengths(def) }),
  ZodSet: (def) => ({ type: 'array', items: inner(def, 'valueType'), uniqueItems: true }),
  ZodTuple: (def) => ({ type: 'array', prefixItems: each(def['items']) }),
  ZodRecord: (def) => ({ type: 'object', additionalProperties: inner(def, 'valueType') }),
  ZodObject: (_, { shape = {} }) => objectOf(shape),
  ZodUnion: (def) => ({ anyOf: each(def['options']) }),
  ZodDiscriminatedUnion: (def) => ({ anyOf: each([...(def['options'] as Iterable<Zod3>)]) }),
  ZodIntersection: (def) => ({ allOf: [inner(def, 'left'), inner(def, 'right')] }),
  ZodNullable: (def) => ({ anyOf: [inner(def), { type: 'null' }] }),
  ZodOptional: (def) => inner(def),
  ZodDefault: (def) => ({ ...inner(def), default: (def['defaultValue'] as () => unknown)() }),
  ZodCatch: (def) => inner(def),
  ZodReadonly: (def) => inner(def),
  ZodBranded: (def) => inner(def, 'type'),
  ZodEffects: (def) => inner(def, 'schema'),
  ZodPipeline: (def) => inner(def, 'in'),
};

function objectOf(shape: Readonly<Record<string, Zod3>>): Fields {
  const entries = Object.entries(shape);
  const required = entries.filter(([, type]) => !isOptionalZod3(type)).map(([name]) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(entries.map(([name, type]) => [name, schemaOfZod3(type)])),
    ...(required.length > 0 && { required }),
  };
}

type Check = Readonly<Record<string, unknown>> & { readonly kind: string };
type CheckWriters = Readonly<Record<string, (check: Check) => Fields>>;

const STRING_CHECKS: CheckWriters = {
  min: ({ value }) => ({ minLength: value }),
  max: ({ value }) => ({ maxLength: value }),
  length: ({ value }) => ({ minLength: value, maxLength: value }),
  email: () => ({ format: 'email' }),
  url: () => ({ format: 'uri' }),
  uuid: () => ({ format: 'uuid' }),
  datetime: () => ({ format: 'date-time' }),
  regex: ({ regex }) => ({ pattern: (regex as RegExp).source }),
};
const NUMBER_CHECKS: CheckWriters = {
  int: () => ({ type: 'integer' }),
  min: ({ value, inclusive }) => (inclusive === false ? { exclusiveMinimum: value } : { minimum: value }),
  max: ({ value, inclusive }) => (inclusive === false ? { exclusiveMaximum: value } : { maximum: value }),
  multipleOf: ({ value }) => ({ multipleOf: value }),
};

const checks = (def: Fields, writers: CheckWriters): Fields =>
  Object.assign({}, ...((def['checks'] ?? []) as Check[]).map((check) => writers[check.kind]?.(check) ?? {}));

function lengths(def: Fields): Fields {
  const at = (key: string) => (def[key] as { value: number } | null | undefined)?.value;
  const [least, most] = [at('minLength') ?? at('exactLength'), at('maxLength') ?? at('exactLength')];
  return { ...(least !== undefined && { minItems: least }), ...(most !== undefined && { maxItems: most }) };
}

/** A numeric enum also maps its numbers back to names. */
const enumValues = (values: Fields): unknown[] =>
  Object.entries(values)
    .filter(([name]) => typeof values[String(values[name])] !== 'number')
    .map(([, value]) => value);
