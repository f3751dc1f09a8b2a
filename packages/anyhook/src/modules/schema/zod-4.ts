/**
 * Converts a zod 4 type to JSON Schema from its definition. Used for types that zod itself cannot convert: types from
 * another copy, or with a custom converter that does not know ours. Constraints that JSON Schema cannot express are
 * omitted; the type itself still checks them.
 */

import type { Fields } from '../../events/effects.ts';

export interface Zod4 {
  readonly _zod: { readonly def: Fields; readonly bag?: Fields };
  readonly description?: string;
}

/** Whether the value may be omitted. */
export const isOptionalZod4 = ({ _zod: { def } }: Zod4): boolean => {
  const type = String(def['type']);
  if (['optional', 'default', 'prefault', 'undefined', 'catch'].includes(type)) return true;
  if (type === 'nullable' || type === 'readonly') return isOptionalZod4(def['innerType'] as Zod4);
  return type === 'pipe' && isOptionalZod4(def['in'] as Zod4);
};

export function schemaOfZod4(type: Zod4, above: readonly Zod4[] = []): Fields {
  if (above.includes(type)) return {}; // a recursive type would never end
  const write = WRITERS[String(type._zod.def['type'])];
  const within = (inner: unknown) => schemaOfZod4(inner as Zod4, [...above, type]);
  const schema = write === undefined ? {} : write(type._zod.def, within, boundsOf(type._zod));
  return type.description === undefined ? schema : { ...schema, description: type.description };
}

/** Bounds are stored in a bag, which some versions fill late, and in the checks of the type. */
function boundsOf({ def, bag = {} }: Zod4['_zod']): Fields {
  const checks = ((def['checks'] ?? []) as Zod4[]).map(({ _zod }) => _zod.def);
  const own = def['format'] === undefined ? {} : { format: def['format'] };
  return Object.assign({ ...bag, ...own }, ...checks.map((check) => BOUNDS[String(check['check'])]?.(check))) as Fields;
}
const BOUNDS: Readonly<Record<string, (check: Fields) => Fields>> = {
  min_length: ({ minimum }) => ({ minimum }),
  max_length: ({ maximum }) => ({ maximum }),
  length_equals: ({ length }) => ({ minimum: length, maximum: length }),
  greater_than: ({ value, inclusive }) => (inclusive === true ? { minimum: value } : { exclusiveMinimum: value }),
  less_than: ({ value, inclusive }) => (inclusive === true ? { maximum: value } : { exclusiveMaximum: value }),
  multiple_of: ({ value }) => ({ multipleOf: value }),
  number_format: ({ format }) => ({ format }),
  string_format: ({ format, pattern }) => ({ format, ...(pattern !== undefined && { patterns: new Set([pattern]) }) }),
};

type Within = (type: unknown) => Fields;
const inner = (def: Fields, within: Within): Fields => within(def['innerType']);

const WRITERS: Readonly<Record<string, (def: Fields, within: Within, bag: Fields) => Fields>> = {
  string: (_, __, bag) => ({ type: 'string', ...limits(bag, 'Length'), ...formatOf(bag) }),
  number: (_, __, bag) => ({ type: isWhole(bag) ? 'integer' : 'number', ...range(bag) }),
  int: (_, __, bag) => ({ type: 'integer', ...range(bag) }),
  bigint: () => ({ type: 'integer' }),
  boolean: () => ({ type: 'boolean' }),
  null: () => ({ type: 'null' }),
  never: () => ({ not: {} }),
  literal: (def) => choice(def['values'] as unknown[]),
  enum: (def) => choice(enumValues(def['entries'] as Fields)),
  array: (def, within, bag) => ({ type: 'array', items: within(def['element']), ...limits(bag, 'Items') }),
  set: (def, within) => ({ type: 'array', items: within(def['valueType']), uniqueItems: true }),
  tuple: (def, within) => ({ type: 'array', prefixItems: (def['items'] as unknown[]).map(within) }),
  record: (def, within) => ({ type: 'object', additionalProperties: within(def['valueType']) }),
  object: objectOf,
  interface: objectOf,
  union: (def, within) => ({ anyOf: (def['options'] as unknown[]).map(within) }),
  intersection: (def, within) => ({ allOf: [within(def['left']), within(def['right'])] }),
  nullable: (def, within) => ({ anyOf: [inner(def, within), { type: 'null' }] }),
  optional: inner,
  nonoptional: inner,
  readonly: inner,
  catch: inner,
  default: (def, within) => ({ ...inner(def, within), default: def['defaultValue'] }),
  prefault: (def, within) => ({ ...inner(def, within), default: def['defaultValue'] }),
  pipe: (def, within) => within(def['in']),
  lazy: (def, within) => within((def['getter'] as () => unknown)()),
};

function objectOf(def: Fields, within: Within): Fields {
  const entries = Object.entries(def['shape'] as Readonly<Record<string, Zod4>>);
  const required = entries.filter(([, type]) => !isOptionalZod4(type)).map(([name]) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(entries.map(([name, type]) => [name, within(type)])),
    ...(required.length > 0 && { required }),
  };
}

function choice(values: readonly unknown[]): Fields {
  if (values.length === 1) return { const: values[0] };
  return { ...(values.every((value) => typeof value === 'string') && { type: 'string' }), enum: values };
}

/** A numeric enum also maps its numbers back to names. */
const enumValues = (entries: Fields): unknown[] =>
  Object.entries(entries)
    .filter(([name]) => typeof entries[String(entries[name])] !== 'number')
    .map(([, value]) => value);

const isWhole = ({ format }: Fields): boolean => typeof format === 'string' && format.includes('int');

const limits = ({ minimum, maximum }: Fields, of: 'Length' | 'Items'): Fields => ({
  ...(minimum !== undefined && { [`min${of}`]: minimum }),
  ...(maximum !== undefined && { [`max${of}`]: maximum }),
});

/** Omits bounds that every integer has. */
function range({ minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf }: Fields): Fields {
  const bounds = { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf };
  return Object.fromEntries(
    Object.entries(bounds).filter(
      ([, value]) => typeof value === 'number' && Math.abs(value) !== Number.MAX_SAFE_INTEGER,
    ),
  );
}

const FORMATS: Readonly<Record<string, string>> = {
  email: 'email',
  url: 'uri',
  uuid: 'uuid',
  guid: 'uuid',
  datetime: 'date-time',
  date: 'date',
  time: 'time',
};
function formatOf({ format, patterns }: Fields): Fields {
  const known = FORMATS[String(format)];
  if (known !== undefined) return { format: known };
  const [pattern] = patterns instanceof Set && format === 'regex' ? [...(patterns as Set<RegExp>)] : [];
  return pattern === undefined ? {} : { pattern: pattern.source };
}
