import { describeThrown } from '../../runners/module/thrown.mjs';

export type Peeked = { readonly value: unknown } | { readonly fault: string };

/** One property of something a plugin made: its getter may throw, its proxy may lie. */
export function peek(home: object, key: PropertyKey): Peeked {
  try {
    return { value: (home as Record<PropertyKey, unknown>)[key] };
  } catch (error) {
    return { fault: describeThrown(error).message };
  }
}

/** None where even asking throws. */
export function keysOf(home: object): readonly string[] {
  try {
    return Object.keys(home);
  } catch {
    return [];
  }
}
