/** What is recorded of an object of a class (Map, Error, Date, …): a text, a list or its members. May throw: the caller catches. */
import { describeValue } from './describe-value.ts';

export function partsOf(value: object): string | readonly unknown[] | object {
  if (value instanceof Map) {
    const pairs = [...value] as [unknown, unknown][];
    return pairs.every(([name]) => typeof name === 'string') ? membersOf(pairs) : pairs;
  }
  if (value instanceof Set) return [...value] as unknown[];
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return `[${value.byteLength} bytes]`;
  if (value instanceof Error) {
    const { name, message, stack, cause } = value;
    return { ...value, name, message, stack, cause };
  }
  if (value instanceof Date || value instanceof URL || value instanceof RegExp) return describeValue(value);
  if (value instanceof Headers || value instanceof URLSearchParams) return membersOf([...value]);
  if (value instanceof String || value instanceof Number || value instanceof Boolean)
    return describeValue(value);
  return value;
}

/** Names beside a value that tell whether it is a secret: in `{ name: 'token', value }`, `token`. */
export function namedParts(value: object): string[] {
  const { at, name, key } = value as {
    readonly at?: unknown;
    readonly name?: unknown;
    readonly key?: unknown;
  };
  return [name, key, ...(Array.isArray(at) ? at : [])].filter((part) => typeof part === 'string');
}

function membersOf(pairs: readonly (readonly [unknown, unknown])[]): object {
  const members = Object.create(null) as Record<string, unknown>;
  for (const [name, value] of pairs) members[describeValue(name)] = value;
  return members;
}
