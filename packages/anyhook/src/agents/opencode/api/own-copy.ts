import { types } from 'node:util';
import { isPlain } from '../../../events/changes.ts';

/**
 * What a hook gets as `input`: its own copy, so that writing to it is harmless and reaches nobody. Not a frozen one:
 * plugins that write to their input run in OpenCode, and a frozen object would make them throw. Functions and instances
 * of classes (a signal, a client) are handed over as they are; `structuredClone` would refuse the first and gut the
 * second.
 */
export const ownCopy = <T>(input: T): T => (isFlat(input) ? { ...input } : copy(input, new Map())) as T;

/** What most hooks are told: nothing in it that could be shared, or could stand in itself. */
function isFlat(value: unknown): value is Record<string, unknown> {
  if (!isPlain(value) || types.isProxy(value) || Object.getPrototypeOf(value) === null) return false;
  for (const key in value) if (typeof value[key] === 'object' && value[key] !== null) return false;
  return Object.getOwnPropertySymbols(value).length === 0;
}

function copy(value: unknown, known: Map<object, unknown>): unknown {
  if (typeof value !== 'object' || value === null || types.isProxy(value)) return value;
  if (known.has(value)) return known.get(value);
  const remember = <M>(made: M): M => {
    known.set(value, made);
    return made;
  };
  if (Array.isArray(value)) {
    const made = remember<unknown[]>([]);
    for (const item of value as unknown[]) made.push(copy(item, known));
    return made;
  }
  if (value instanceof Map) {
    const made = remember(new Map<unknown, unknown>());
    for (const [key, item] of value) made.set(copy(key, known), copy(item, known));
    return made;
  }
  if (value instanceof Set) {
    const made = remember(new Set<unknown>());
    for (const item of value) made.add(copy(item, known));
    return made;
  }
  if (value instanceof Date || ArrayBuffer.isView(value)) return remember(structuredClone(value));
  if (!isPlain(value)) return value;
  const made = remember(Object.create(Object.getPrototypeOf(value) as object | null) as object);
  for (const key of Object.keys(value))
    Object.defineProperty(made, key, { value: copy(value[key], known), ...OPEN }); // `__proto__` is a key too
  return made;
}

const OPEN = { enumerable: true, writable: true, configurable: true };
