import { types } from 'node:util';
import { isPlain } from '../../../events/changes.ts';

/**
 * Returns a copy of the `input` for each hook, so that changing it has no effect elsewhere. It is not frozen, because
 * plugins that write to their input work in OpenCode and would throw. Functions and class instances (a signal, a
 * client) are passed unchanged, because `structuredClone` rejects functions and strips instances.
 */
export const ownCopy = <T>(input: T): T => (isFlat(input) ? { ...input } : copy(input, new Map())) as T;

/** Most inputs are flat: they contain nothing shared or recursive. */
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
    Object.defineProperty(made, key, { value: copy(value[key], known), ...OPEN }); // `__proto__` may be a key too
  return made;
}

const OPEN = { enumerable: true, writable: true, configurable: true };
