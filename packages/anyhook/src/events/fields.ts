import type { Fields } from './effects.ts';

/** An object with keys, of whatever class: no list, and not nothing. */
export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
