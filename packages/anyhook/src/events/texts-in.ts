import type { Fields } from './effects.ts';

/** Those of the fields that are text: an agent may send anything. */
export const textsIn = (fields: Fields): Record<string, string> =>
  Object.fromEntries(
    Object.entries(fields).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
