/** Reads requests of clients without assumptions about their structure. */

import type { Fields } from '../../events/effects.ts';
import { isFields } from '../../events/fields.ts';

/** Returns the value at a path, or undefined. */
export const at = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>((inner, key) => (isFields(inner) ? inner[key] : undefined), value);

export const fieldsAt = (value: unknown, ...path: readonly string[]): Fields | undefined => {
  const found = at(value, ...path);
  return isFields(found) ? found : undefined;
};
/** Returns the objects at a path. A single object counts as a list, as some APIs allow. */
export const listAt = (value: unknown, ...path: readonly string[]): readonly Fields[] =>
  [at(value, ...path)].flat().filter(isFields);

export const looseText = (value: unknown, ...path: readonly string[]): string => {
  const found = at(value, ...path);
  return typeof found === 'string' ? found : '';
};
