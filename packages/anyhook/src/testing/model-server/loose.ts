/** Requests of strangers, read without trust in their shape. */
import type { Fields } from '../../canon/effects.ts';

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value at a path, or undefined as soon as there is none. */
export const at = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>((inner, key) => (isFields(inner) ? inner[key] : undefined), value);

export const fieldsAt = (value: unknown, ...path: readonly string[]): Fields | undefined => {
  const found = at(value, ...path);
  return isFields(found) ? found : undefined;
};
/** Its objects; one alone counts as a list of one, as some APIs allow. */
export const listAt = (value: unknown, ...path: readonly string[]): readonly Fields[] =>
  [at(value, ...path)].flat().filter(isFields);

export const textAt = (value: unknown, ...path: readonly string[]): string => {
  const found = at(value, ...path);
  return typeof found === 'string' ? found : '';
};

/** A message's text, whether it is one string or parts. */
export const textOf = (content: unknown): string =>
  typeof content === 'string'
    ? content
    : Array.isArray(content)
      ? content.map((part) => textAt(part, 'text')).join('\n')
      : '';
