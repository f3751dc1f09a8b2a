import type { Fields } from '../../events/effects.ts';
import { isFields } from '../../events/fields.ts';
import { fieldsAt } from './loose.ts';

/** Returns a minimal value for a JSON Schema, good enough for clients to accept. */
export function instance(schema: unknown, key = ''): unknown {
  if (!isFields(schema)) return 'x';
  if ('const' in schema) return schema['const'];
  const choices = schema['enum'];
  if (Array.isArray(choices)) return choices.includes('user') ? 'user' : (choices[0] as unknown);
  for (const word of ['anyOf', 'oneOf']) {
    const alternatives = schema[word];
    if (Array.isArray(alternatives)) return instance(alternatives[0], key);
  }
  switch (typeOf(schema)) {
    case 'object':
      return withRequired({
        ...schema,
        required: schema['required'] ?? Object.keys(fieldsAt(schema, 'properties') ?? {}),
      });
    case 'array':
      return [];
    case 'boolean':
      return false;
    case 'number':
    case 'integer':
      return schema['minimum'] ?? 1;
    default:
      return `fake ${key || 'text'}`;
  }
}

/** Adds missing required arguments, because clients reject calls without them. */
export function withRequired(schema: Fields | undefined, given: Fields = {}): Fields {
  const out: Record<string, unknown> = { ...given };
  const required = schema?.['required'];
  for (const key of Array.isArray(required) ? (required as readonly string[]) : [])
    if (!(key in out)) out[key] = instance(fieldsAt(schema, 'properties')?.[key] ?? {}, key);
  return out;
}

/** Gemini writes types in capitals. For a list of types, uses the first. */
const typeOf = (schema: Fields): string =>
  String([schema['type'] ?? (schema['properties'] ? 'object' : 'string')].flat()[0]).toLowerCase();
