// Lists the hooks that a module exports, in a fixed order. Plain JavaScript, because both processes use it
// and must agree.

import { describeThrown } from './thrown.mjs';

/** @typedef {{ readonly name: string, readonly value: unknown }} Exported */

const DEFINITION = Symbol.for('anyhook.definition');

/**
 * The default export first, then the others by name. Lists are flattened (`default[1]`).
 * @param {unknown} exports
 * @returns {Exported[]}
 */
export function exportedFrom(exports) {
  if (isDefinition(exports) || Array.isArray(exports)) return open('default', exports);
  if (typeof exports !== 'object' || exports === null) return [{ name: 'default', value: exports }];
  const home = /** @type {Record<string, unknown>} */ (exports);
  const names = Object.keys(home).filter((name) => name !== 'default');
  const ordered = [...(Object.hasOwn(home, 'default') ? ['default'] : []), ...names.toSorted()];
  return ordered.flatMap((name) => open(name, peek(home, name)));
}

/**
 * @param {unknown} value
 * @returns {value is Record<PropertyKey, unknown>}
 */
export const isDefinition = (value) =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, DEFINITION);

/** @param {string} name @param {unknown} value @returns {Exported[]} */
const open = (name, value) =>
  Array.isArray(value)
    ? value.map((item, index) => ({ name: `${name}[${index}]`, value: item }))
    : [{ name, value }];

/** @param {Record<string, unknown>} home @param {string} name */
function peek(home, name) {
  try {
    return home[name];
  } catch (error) {
    return describeThrown(error).message;
  }
}
