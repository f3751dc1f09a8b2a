/**
 * Compares what a hook received with what it wants, and applies the difference. Plain objects are compared
 * key by key, other values as a whole.
 */

import { isDeepStrictEqual } from 'node:util';
import type { Change } from './effects.ts';

export const same = (a: unknown, b: unknown): boolean => a === b || isDeepStrictEqual(a, b);

export function diff(field: string, before: unknown, after: unknown): Change[] {
  if (same(before, after)) return [];
  if (!isPlain(before) || !isPlain(after)) return [{ kind: 'set', at: [field], to: after }];
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter(
      (key) => !(Object.hasOwn(before, key) && Object.hasOwn(after, key) && same(before[key], after[key])),
    )
    .map((key) =>
      Object.hasOwn(after, key)
        ? { kind: 'set', at: [field, key], to: after[key] }
        : { kind: 'set', at: [field, key] },
    );
}

export function apply<T extends object>(value: T, changes: readonly Change[]): T {
  const next = { ...value } as Record<string, unknown>;
  for (const change of changes) {
    const [field, key] = change.at;
    if (key === undefined) put(next, field, change);
    else if ('to' in change || isPlain(next[field])) {
      const home: Record<string, unknown> = isPlain(next[field]) ? { ...next[field] } : {};
      put(home, key, change);
      put(next, field, { to: home });
    }
  }
  return next as T;
}

/** Returns true if two changes set the same field or key to different values. */
export const collide = (a: Change, b: Change): boolean =>
  a.at[0] === b.at[0] &&
  (a.at[1] === undefined || b.at[1] === undefined || a.at[1] === b.at[1]) &&
  !same(a, b);

/** Uses `defineProperty` so that `__proto__` is an ordinary key. */
function put(home: Record<string, unknown>, key: string, change: { readonly to?: unknown }): void {
  if ('to' in change)
    Object.defineProperty(home, key, {
      value: change.to,
      enumerable: true,
      writable: true,
      configurable: true,
    });
  else delete home[key];
}

export const isPlain = (value: unknown): value is Record<string, unknown> => {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
};
