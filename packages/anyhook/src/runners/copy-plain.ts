import { isPlain } from '../canon/changes.ts';

/**
 * A copy of plain data: objects and arrays anew, functions and instances of classes as they are, cycles kept. Unlike
 * `structuredClone` it takes everything that hooks are really called with.
 */
export const copyPlain = <T>(value: T): T => copy(value, [], []) as T;

/** Ancestors and their copies: arguments are shallow, so looking through a short list beats a map. */
function copy(value: unknown, above: object[], copies: object[]): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const list = Array.isArray(value);
  if (!list && !isPlain(value)) return value;
  const known = above.indexOf(value);
  if (known !== -1) return copies[known];
  const made: unknown[] | Record<string, unknown> = list
    ? []
    : (Object.create(Object.getPrototypeOf(value)) as Record<string, unknown>);
  above.push(value);
  copies.push(made);
  if (Array.isArray(made)) for (const item of value as unknown[]) made.push(copy(item, above, copies));
  else
    for (const key of Object.keys(value))
      put(made, key, copy((value as Record<string, unknown>)[key], above, copies));
  above.pop();
  copies.pop();
  return made;
}

/** A key called `__proto__` is a key like any other. */
function put(home: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== '__proto__') home[key] = value;
  else Object.defineProperty(home, key, { value, enumerable: true, writable: true, configurable: true });
}
