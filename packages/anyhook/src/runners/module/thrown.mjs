// What was thrown, in words. Plain JavaScript: the isolated process uses it too.
import { types } from 'node:util';

/**
 * Runs no code of whoever threw: no getter, no trap, no `toString`. A hook that throws something hostile must not get
 * a second chance while its failure is written down.
 * @param {unknown} thrown
 * @returns {{ message: string, stack?: string }}
 */
export function describeThrown(thrown) {
  if (typeof thrown === 'string') return { message: thrown === '' ? 'threw an empty string' : thrown };
  if (typeof thrown === 'function') return { message: 'threw a function' };
  if (typeof thrown !== 'object' || thrown === null) return { message: `threw ${String(thrown)}` };
  const [message, name] = [text(thrown, 'message'), text(thrown, 'name')];
  const said = message || name || 'threw an object without a message';
  const stack = message === undefined || name === undefined ? undefined : stackOf(thrown);
  return stack === undefined ? { message: said } : { message: said, stack };
}

/** The word by which Node names its own errors. @param {unknown} thrown */
export const codeOf = (thrown) =>
  typeof thrown === 'object' && thrown !== null ? text(thrown, 'code') : undefined;

/** One of the engine's own kind, whatever it claims to be. @param {unknown} thrown */
export const isSyntaxError = (thrown) =>
  types.isNativeError(thrown) && !types.isProxy(thrown) && text(thrown, 'name') === 'SyntaxError';

/**
 * Written when it is first read, by a formatter that looks at name and message: only read where those are plain.
 * @param {object} thrown
 */
function stackOf(thrown) {
  try {
    return types.isNativeError(thrown) ? text(thrown, 'stack') : undefined;
  } catch {
    return undefined;
  }
}

/** Getters of the platform itself are no user code: `DOMException` has its message there, some engines the stack. */
const BUILT_IN = new Set(
  [
    Object.getOwnPropertyDescriptor(DOMException.prototype, 'message'),
    Object.getOwnPropertyDescriptor(DOMException.prototype, 'name'),
    Object.getOwnPropertyDescriptor(new Error('probe'), 'stack'),
    Object.getOwnPropertyDescriptor(Error.prototype, 'stack'),
  ].flatMap((descriptor) => descriptor?.get ?? []),
);

/**
 * @param {object} thrown
 * @param {string} key
 * @returns {string | undefined}
 */
function text(thrown, key) {
  /** @type {object | null} */
  let home = thrown;
  for (let depth = 0; home !== null && depth < 16 && !types.isProxy(home); depth++) {
    const found = Object.getOwnPropertyDescriptor(home, key);
    if (found !== undefined) {
      const value = found.get !== undefined && BUILT_IN.has(found.get) ? found.get.call(thrown) : found.value;
      return typeof value === 'string' ? value : undefined;
    }
    home = Object.getPrototypeOf(home);
  }
  return undefined;
}
