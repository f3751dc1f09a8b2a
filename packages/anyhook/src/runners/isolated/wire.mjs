// The messages of the RPC: JSON, one per line, the same in both directions.

/** @import { Readable } from 'node:stream' */
/** @import { Reply } from '../../events/exchange.ts' */
/**
 * A value among the arguments or in the result that is not data, and its path. It is sent as a handle that
 * the other end can call, as text, or not at all. Inner values come before outer ones.
 * @typedef {{ readonly at: readonly (string | number)[] } & (
 * { readonly is: 'function', readonly handle: number }
 * | { readonly is: 'stream', readonly handle: number }
 * | { readonly is: 'bytes', readonly base64: string }
 * | { readonly is: 'response' }
 * | { readonly is: 'signal' }
 * | { readonly is: 'undefined' })} Special
 */
/**
 * `call`: of a method of the other end by name, or of a function that it handed out, by handle; without an
 * `id` there is no answer. `cancel`: the caller aborted. `release`: handles that are no longer used.
 * @typedef {{ readonly kind: 'call', readonly id?: number, readonly to: string | number,
 * readonly args: readonly unknown[], readonly specials?: readonly Special[] }
 * | { readonly kind: 'answer', readonly id: number, readonly reply: Reply, readonly specials?: readonly Special[] }
 * | { readonly kind: 'cancel', readonly id: number }
 * | { readonly kind: 'release', readonly handles: readonly number[] }} Message
 */

/** File descriptors of the child: the RPC, and a pipe that closes when the host ends. */
export const CHANNEL_FD = 3;
export const LIFELINE_FD = 4;
export const LONGEST_LINE = 16 * 1024 * 1024;

/**
 * @param {Readable} stream
 * @param {(line: string) => void} hear
 * @param {() => void} overflow a line without end
 */
export function readLines(stream, hear, overflow) {
  /** @type {string[]} */
  let parts = [];
  let size = 0;
  stream.setEncoding('utf8');
  stream.on('data', (/** @type {string} */ chunk) => {
    let from = 0;
    for (let end = chunk.indexOf('\n'); end !== -1; end = chunk.indexOf('\n', from)) {
      const line = [...parts, chunk.slice(from, end)].join('');
      parts = [];
      size = 0;
      from = end + 1;
      hear(line);
    }
    if (from === chunk.length) return;
    parts.push(chunk.slice(from));
    size += chunk.length - from;
    if (size > LONGEST_LINE) overflow();
  });
}

/**
 * Returns JSON, or throws a TypeError that names a value that cannot be sent. `JSON.stringify` alone silently
 * drops functions and turns a Map into an empty object.
 * @param {unknown} value
 * @returns {string | undefined}
 */
export function toJson(value) {
  return JSON.stringify(value, function replacer(key, part) {
    if (part === undefined && this[key] === undefined) return part;
    const kind = typeof part === 'object' ? Object.prototype.toString.call(part) : typeof part;
    if (UNCOPYABLE.has(kind))
      throw new TypeError(
        `${key === '' ? 'it' : `'${key}'`} is ${kind.replace(/^\[object (.*)\]$/, 'a $1')}`,
      );
    return part;
  });
}
const UNCOPYABLE = new Set([
  'function',
  'symbol',
  'bigint',
  '[object Map]',
  '[object Set]',
  '[object Promise]',
  '[object WeakMap]',
  '[object WeakSet]',
]);
