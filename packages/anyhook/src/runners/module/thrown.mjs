// Describes thrown values. Plain JavaScript, because the isolated process uses it too.

import { types } from 'node:util';

/**
 * Runs no code of the thrower: no getter, no proxy trap, no `toString`. A hook that throws a hostile value
 * must not run code while its failure is recorded.
 * @param {unknown} thrown
 * @returns {{ message: string, stack?: string }}
 */
export function describeThrown(thrown) {
  if (typeof thrown === 'string') return { message: thrown === '' ? 'threw an empty string' : thrown };
  if (typeof thrown === 'function') return { message: 'threw a function' };
  if (typeof thrown !== 'object' || thrown === null) return { message: `threw ${String(thrown)}` };
  const [message, name] = [text(thrown, 'message'), text(thrown, 'name')];
  const description = message || name || 'threw an object without a message';
  const stack = message === undefined || name === undefined ? undefined : stackOf(thrown);
  return stack === undefined ? { message: description } : { message: description, stack };
}

/** Returns the code of a Node error. @param {unknown} thrown */
export const codeOf = (thrown) =>
  typeof thrown === 'object' && thrown !== null ? text(thrown, 'code') : undefined;

/** Returns true for the engine's own syntax errors. @param {unknown} thrown */
export const isSyntaxError = (thrown) =>
  types.isNativeError(thrown) && !types.isProxy(thrown) && text(thrown, 'name') === 'SyntaxError';

/**
 * The stack is formatted on first read from name and message, so it is only read if those are plain.
 * @param {object} thrown
 */
function stackOf(thrown) {
  try {
    return types.isNativeError(thrown) ? text(thrown, 'stack') : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Getters of the platform itself are not user code. `DOMException` has its message there, some engines the
 * stack.
 */
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
