import type { Fields } from './effects.ts';

/** Returns only the fields that are strings, because an agent may send anything. */
export const textsIn = (fields: Fields): Record<string, string> =>
  Object.fromEntries(
    Object.entries(fields).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
