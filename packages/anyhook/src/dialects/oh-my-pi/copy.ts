import { isPlain } from '../../canon/changes.ts';

/** Plain data anew, so that a handler may write to it; a signal or a function as it is. */
export function copy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copy);
  if (!isPlain(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, copy(part)]));
}
