import type { Fields } from './effects.ts';

/** Returns true for a non-null object of any class that is not an array. */
export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
