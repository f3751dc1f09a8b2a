// What the two ends of the RPC write: JSON, one message per line. Each end calls the other, in the same words.

/** @import { Readable } from 'node:stream' */
/** @import { Reply } from '../../events/exchange.ts' */
/**
 * Something among the arguments or in the result that is no data, and where in it: it crosses as a number (`handle`) by
 * which the other end calls it, as text, or not at all. Inner places stand before outer ones.
 * @typedef {{ readonly at: readonly (string | number)[] } & (
 *     { readonly is: 'function', readonly handle: number }
 *   | { readonly is: 'stream', readonly handle: number }
 *   | { readonly is: 'bytes', readonly base64: string }
 *   | { readonly is: 'response' }
 *   | { readonly is: 'signal' }
 *   | { readonly is: 'undefined' })} Special
 */
/**
 * `call`: to a method of the other end by its name, or to a function it has handed out, by its handle; without an `id`
 * nobody waits for the answer. `cancel`: the caller gave up. `release`: handles that nobody here holds any more.
 * @typedef {{ readonly kind: 'call', readonly id?: number, readonly to: string | number,
 *     readonly args: readonly unknown[], readonly specials?: readonly Special[] }
 *   | { readonly kind: 'answer', readonly id: number, readonly reply: Reply, readonly specials?: readonly Special[] }
 *   | { readonly kind: 'cancel', readonly id: number }
 *   | { readonly kind: 'release', readonly handles: readonly number[] }} Message
 */

/** File descriptors of the child: the conversation, and a pipe that ends when the host does. */
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
 * As JSON, or a TypeError that names what cannot cross: `JSON.stringify` alone drops functions in silence and makes
 * an empty object of a Map.
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
