import { isPlain } from '../../canon/changes.ts';

/** Plain data anew, so that a plugin may write to it; a function or an instance of a class as it is. */
export function copy<T>(value: T): T {
  if (Array.isArray(value)) return value.map(copy) as T;
  if (!isPlain(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, copy(part)])) as T;
}
