// Serialises values for the RPC: data as JSON, plus a list of values that are not data.

/** @import { Special } from './wire.mjs' */

/** A value that is already JSON. An event is serialised once for all its hooks. */
export class PackWriter {
  /** @param {string} json */
  constructor(json) {
    this.json = json;
  }
}

/**
 * Registers functions, streams and signals that are sent to the other end.
 * @typedef {object} Exports
 * @property {(fn: (...args: never[]) => unknown) => number} handleOf
 * @property {(signal: AbortSignal) => void} follow
 */
/**
 * Creates local stand-ins for a function of the other end and for the signal of this call.
 * @typedef {object} Imports
 * @property {(handle: number) => (...args: unknown[]) => Promise<unknown>} functionOf
 * @property {() => AbortSignal} signal
 */
/** Maximum size of one read from a stream, because lines have a limit. */
const LARGEST_CHUNK = 1024 * 1024;

/**
 * Throws a TypeError that names the value that cannot be sent.
 * @param {unknown} value
 * @param {Exports} exports
 * @returns {{ json: string, specials: readonly Special[] }}
 */
export function pack(value, exports) {
  /** @type {Special[]} */
  const specials = [];
  if (value instanceof PackWriter) return { json: value.json, specials };
  const json = Array.isArray(value)
    ? `[${value.map((part, at) => partOf(part, [at], { specials, exports, above: new Set() })).join(',')}]`
    : partOf(value, [], { specials, exports, above: new Set() });
  return { json, specials };
}

/**
 * @typedef {{ readonly specials: Special[], readonly exports: Exports, readonly above: Set<object> }} Packing
 * @typedef {(string | number)[]} Path
 */
/** @param {unknown} value @param {Path} at @param {Packing} packing */
const partOf = (value, at, packing) =>
  value instanceof PackWriter ? value.json : (JSON.stringify(lifted(value, at, packing)) ?? 'null');

/**
 * Returns a copy with `null` in place of every special value.
 * @param {unknown} value
 * @param {Path} at
 * @param {Packing} packing
 * @returns {unknown}
 */
function lifted(value, at, packing) {
  if (typeof value === 'function') {
    const handle = packing.exports.handleOf(/** @type {(...args: never[]) => unknown} */ (value));
    packing.specials.push({ at, is: 'function', handle });
    return null;
  }
  if (value === undefined) {
    packing.specials.push({ at, is: 'undefined' });
    return null;
  }
  if (typeof value === 'bigint' || typeof value === 'symbol')
    throw new TypeError(`${named(at)} is ${typeof value}`);
  if (typeof value !== 'object' || value === null) return value;
  return liftedObject(value, at, packing);
}

/** @param {object} value @param {Path} at @param {Packing} packing @returns {unknown} */
function liftedObject(value, at, packing) {
  const { specials, exports, above } = packing;
  if (value instanceof AbortSignal) {
    exports.follow(value);
    specials.push({ at, is: 'signal' });
    return null;
  }
  if (value instanceof Uint8Array || value instanceof ArrayBuffer) {
    const bytes =
      value instanceof ArrayBuffer
        ? Buffer.from(value)
        : Buffer.from(value.buffer, value.byteOffset, value.length);
    specials.push({ at, is: 'bytes', base64: bytes.toString('base64') });
    return null;
  }
  if (value instanceof ReadableStream) {
    specials.push({ at, is: 'stream', handle: exports.handleOf(readerOf(value)) });
    return null;
  }
  if (value instanceof Response) {
    const { status, statusText, headers, body } = value;
    const parts = liftedObject({ status, statusText, headers: [...headers], body }, at, packing);
    specials.push({ at, is: 'response' });
    return parts;
  }
  const kind = Object.prototype.toString.call(value);
  if (UNCOPYABLE.test(kind))
    throw new TypeError(`${named(at)} is ${kind.replace(/^\[object (.*)\]$/, 'a $1')}`);
  if (above.has(value)) throw new TypeError(`${named(at)} is a circular structure`);
  const toJsonMethod = /** @type {{ toJSON?: unknown }} */ (value).toJSON;
  if (typeof toJsonMethod === 'function') return lifted(toJsonMethod.call(value), at, packing);
  above.add(value);
  const copy = Array.isArray(value)
    ? value.map((part, index) => lifted(part, [...at, index], packing))
    : liftedFields(value, at, packing);
  above.delete(value);
  return copy;
}

/**
 * Without a prototype, so that a field called `__proto__` stays a field.
 * @param {object} value @param {Path} at @param {Packing} packing
 */
function liftedFields(value, at, packing) {
  const copy = Object.create(null);
  for (const [key, part] of Object.entries(value))
    if (part !== undefined) copy[key] = lifted(part, [...at, key], packing);
  return copy;
}

const UNCOPYABLE = /^\[object (?:Map|Set|Promise|WeakMap|WeakSet)\]$/;
/** @param {Path} at */
const named = (at) => (at.length === 0 ? 'it' : `'${at.at(-1)}'`);

/**
 * Wraps a stream as a function: without an argument it returns the next part, with one it cancels the stream.
 * @param {ReadableStream<unknown>} stream
 */
function readerOf(stream) {
  const reader = stream.getReader();
  /** @type {Uint8Array | undefined} */
  let rest;
  return async (/** @type {unknown} */ givenUp) => {
    if (givenUp !== undefined) return void (await reader.cancel(givenUp));
    if (rest === undefined) {
      const { done, value } = await reader.read();
      if (done || !(value instanceof Uint8Array)) return { done, value };
      rest = value;
    }
    const part = rest.subarray(0, LARGEST_CHUNK);
    rest = rest.length > LARGEST_CHUNK ? rest.subarray(LARGEST_CHUNK) : undefined;
    return { done: false, value: part };
  };
}

/**
 * Restores the value with all special values. Throws a TypeError for an invalid list, because the other end
 * may be hostile.
 * @param {unknown} value parsed JSON, which is changed
 * @param {unknown} specials
 * @param {Imports} imports
 * @returns {unknown}
 */
export function unpack(value, specials, imports) {
  if (specials === undefined) return value;
  if (!Array.isArray(specials)) throw new TypeError('specials is not a list');
  const root = { value };
  for (const special of specials) put(root, /** @type {Special} */ (special), imports);
  return root.value;
}

/** @param {{ value: unknown }} root @param {Special} special @param {Imports} imports */
function put(root, special, imports) {
  if (typeof special !== 'object' || special === null || !Array.isArray(special.at))
    throw new TypeError('a special has no path');
  const path = ['value', ...special.at];
  const last = /** @type {string | number} */ (path.pop());
  /** @type {unknown} */
  let home = root;
  for (const key of path) home = fieldOf(home, key);
  const before = fieldOf(home, last);
  const value = imported(special, before, imports);
  Object.defineProperty(home, last, { value, enumerable: true, writable: true, configurable: true });
}

/**
 * Reads only own fields, so that nothing but the sent data is reachable.
 * @param {unknown} home @param {unknown} key
 */
function fieldOf(home, key) {
  if (typeof home !== 'object' || home === null || !Object.hasOwn(home, /** @type {PropertyKey} */ (key)))
    throw new TypeError('the path of a special does not exist');
  return /** @type {Record<PropertyKey, unknown>} */ (home)[/** @type {PropertyKey} */ (key)];
}

/** @param {Special} special @param {unknown} before @param {Imports} imports @returns {unknown} */
function imported(special, before, { functionOf, signal }) {
  switch (special.is) {
    case 'undefined':
      return undefined;
    case 'signal':
      return signal();
    case 'function':
      return functionOf(numberOf(special.handle));
    case 'stream':
      return streamOver(functionOf(numberOf(special.handle)));
    case 'bytes':
      return new Uint8Array(Buffer.from(String(special.base64), 'base64'));
    case 'response': {
      const { body, ...init } = /** @type {ResponseInit & { body: ReadableStream | null }} */ (before ?? {});
      return new Response(body, init);
    }
    default:
      throw new TypeError(`unknown special ${JSON.stringify(/** @type {Special} */ (special).is)}`);
  }
}

/** @param {unknown} handle */
function numberOf(handle) {
  if (!Number.isSafeInteger(handle)) throw new TypeError('a handle is not a number');
  return /** @type {number} */ (handle);
}

/** @param {(...args: unknown[]) => Promise<unknown>} read */
function streamOver(read) {
  return new ReadableStream({
    async pull(out) {
      const { done, value } = /** @type {{ done: boolean, value: unknown }} */ (await read());
      if (done) out.close();
      else out.enqueue(value);
    },
    async cancel(reason) {
      await read(String(reason ?? 'cancelled'));
    },
  });
}
