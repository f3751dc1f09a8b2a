// What the host and the isolated process say to each other: JSON, one message per line.
// Two programs run there: ours, for modules that define hooks, and one of a host's, named by its address, for modules of
// other dialects. The second also calls with handles (`rpc-lines.mjs`).

/** @import { Readable } from 'node:stream' */
/** @import { Breakage, Reply } from '../../canon/exchange.ts' */
/** @import { Problem } from '../../canon/problems.ts' */
/**
 * @typedef {{ readonly kind: 'load', readonly file: string, readonly alias: Readonly<Record<string, string>>,
 *     readonly deadlineMs: number, readonly offers: readonly string[], readonly program?: Program }
 *   | { readonly kind: 'run', readonly id: number, readonly index: number, readonly event?: unknown,
 *     readonly args?: readonly unknown[], readonly glance: Readonly<Record<string, unknown>> }
 *   | { readonly kind: 'glance', readonly glance: Readonly<Record<string, unknown>> }
 *   | { readonly kind: 'offers', readonly offers: readonly string[], readonly about: unknown }
 *   | { readonly kind: 'ping' }
 *   | { readonly kind: 'cancel', readonly id: number }
 *   | { readonly kind: 'told', readonly id: number, readonly value?: unknown, readonly error?: string }} ToChild
 */
/**
 * A module of a host's that brings the user's module to life in the isolated process: its export `open`.
 * @typedef {{ readonly url: string, readonly about: unknown }} Program
 */
/**
 * What `open` is given and what it answers: hooks to be called by their number, and what the host is told about them.
 * What the host says about the module and offers to it may change later: both are asked for whenever they are needed.
 * @typedef {{ readonly rpc: import('./rpc-lines.mjs').RpcLines, readonly about: () => unknown,
 *   readonly host: () => Readonly<Record<string, unknown>> }} Link
 * @typedef {(args: readonly unknown[], signal: AbortSignal) => unknown} GuestHook
 * @typedef {{ readonly hooks: readonly GuestHook[], readonly told: unknown }} OpenedHere
 * @typedef {(link: Link) => Promise<OpenedHere>} Open
 */
/**
 * One exported definition as it can be told: its plain fields, and the names of those that cannot cross.
 * @typedef {{ readonly export: string, readonly fields: Readonly<Record<string, unknown>>,
 *   readonly uncopyable: readonly string[] }} Told
 */
/**
 * @typedef {{ readonly kind: 'loading' }
 *   | { readonly kind: 'pong' }
 *   | { readonly kind: 'ready', readonly defined: readonly Told[],
 *     readonly others: readonly { readonly export: string, readonly is: string }[], readonly told?: unknown }
 *   | { readonly kind: 'not-loaded', readonly breakage: Breakage, readonly problem: Problem }
 *   | { readonly kind: 'begun', readonly id: number }
 *   | { readonly kind: 'answer', readonly id: number, readonly reply: Reply }
 *   | { readonly kind: 'ask', readonly id: number, readonly service: string, readonly args: readonly unknown[] }
 *   | { readonly kind: 'drop', readonly id: number }
 *   | { readonly kind: 'tell', readonly service: string, readonly args: readonly unknown[] }} FromChild
 */

/** File descriptors of the child: the conversation, and a pipe that ends when the host does. */
export const CHANNEL_FD = 3;
export const LIFELINE_FD = 4;
export const LONGEST_LINE = 16 * 1024 * 1024;

/**
 * How each service crosses. ask: called and awaited; tell: called, nothing comes back; glance: synchronous, answered
 * from a snapshot that came with the event; code: takes functions, which cannot cross. `signal` says where it stands.
 * @type {Readonly<Record<string, { readonly manner: 'ask' | 'tell' | 'glance' | 'code', readonly signal?: number,
 *   readonly inside?: true }>>}
 */
export const SERVICES = {
  'ui.select': { manner: 'ask', signal: 2 },
  'ui.confirm': { manner: 'ask', signal: 2 },
  'ui.input': { manner: 'ask', signal: 2 },
  'ui.editor': { manner: 'ask', signal: 2 },
  'ui.custom': { manner: 'code' },
  'ui.notify': { manner: 'tell' },
  'ui.status': { manner: 'tell' },
  'ui.setEditorText': { manner: 'tell' },
  'ui.getEditorText': { manner: 'glance' },
  'session.entries': { manner: 'glance' },
  'session.view': { manner: 'glance' },
  'session.isIdle': { manner: 'glance' },
  'session.hasQueued': { manner: 'glance' },
  'model.current': { manner: 'glance' },
  'model.all': { manner: 'glance' },
  'session.act': { manner: 'ask' },
  'session.waitForIdle': { manner: 'ask' },
  'session.abort': { manner: 'tell' },
  'messages.send': { manner: 'tell' },
  'messages.append': { manner: 'tell' },
  'commands.register': { manner: 'code' },
  'tools.register': { manner: 'code' },
  'tools.call': { manner: 'ask', signal: 2 },
  log: { manner: 'tell' },
  exec: { manner: 'ask', signal: 2, inside: true },
  permit: { manner: 'ask', signal: 1 },
  judge: { manner: 'ask', signal: 1, inside: true },
};

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
