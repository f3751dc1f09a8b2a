/**
 * Serialises any value as one line of JSON without secrets and of limited size. Handles cycles and throwing
 * getters. Reads every property once, so that redaction and output cannot see different values.
 */

import { ByteBuffer, inQuotes, ROOM } from './byte-buffer.ts';
import { Card } from './card.ts';
import { lineHash } from './chain.ts';
import { describeValue } from './describe-value.ts';
import { FixedFields } from './fixed-fields.ts';
import { FixedList } from './fixed-list.ts';
import type { Scanner } from './scan.ts';
import { type Secrecy, secrecyOf } from './secret-names.ts';

export interface RedactedJson {
  /** Valid until the next value is written. */
  readonly bytes: Buffer;
  /** Number of redacted values. */
  readonly redacted: number;
  /** Number of values that were shortened or omitted because of their size. */
  readonly cut: number;
}

/** A longer text is stored as a preview with its length and hash. */
export const LONG = 4096;
const PREVIEW = 512;
const DEEPEST = 48;
const DEFAULT_BOUND = 240 * 1024;
const KEYS_KEPT = 4096;
/** Texts up to this length are cached per field name. */
const SHORT = 96;
const EMPTY: Uint8Array = Buffer.from('""');

interface Key {
  /** With leading comma, quotes and colon. */
  readonly bytes: Uint8Array;
  /** Number of redactions in the name itself. */
  readonly redacted: number;
  readonly secrecy: Secrecy;
  /** Cache of the last short text in this field and its bytes, because folders, models and ids repeat. */
  text: string;
  textBytes: Uint8Array;
}

export class RedactingWriter {
  readonly #scanner: Scanner;
  readonly #buffer = new ByteBuffer();
  readonly #keys = new Map<string, Key>();
  readonly #fixed = new WeakMap<object, Buffer>();
  /** The objects that contain the current value; only the first `#depth` are valid. */
  readonly #above: (object | undefined)[] = [];
  #depth = 0;
  #limit = 0;
  #redacted = 0;
  #cut = 0;

  constructor(scanner: Scanner) {
    this.#scanner = scanner;
  }

  plain(value: unknown, bound = DEFAULT_BOUND): RedactedJson {
    this.#write(value, bound);
    return { bytes: this.#buffer.written, redacted: this.#redacted, cut: this.#cut };
  }

  record(value: object): ByteBuffer {
    const buffer = this.#buffer;
    this.#write(value, DEFAULT_BOUND);
    const [redacted, cut] = [this.#redacted, this.#cut];
    if (redacted + cut > 0) {
      buffer.at--;
      buffer.ascii(`${redacted > 0 ? `,"redacted":${redacted}` : ''}${cut > 0 ? `,"cut":${cut}` : ''}}`);
    }
    return buffer;
  }

  #write(value: unknown, bound: number): void {
    this.#redacted = this.#cut = this.#depth = 0;
    this.#buffer.at = ROOM;
    this.#limit = ROOM + bound;
    this.#any(value, 'none');
  }

  /** `hidden`: the value is inside of a field with a secret name. */
  #any(value: unknown, hidden: Secrecy): void {
    if (typeof value === 'string') {
      if (hidden === 'none' || value === '') this.#text(value);
      else this.#taken();
    } else if (typeof value === 'object') {
      if (value === null) this.#buffer.ascii('null');
      else this.#guarded(value, hidden);
    } else if (typeof value === 'number' || typeof value === 'bigint') {
      if (hidden === 'secret') this.#taken();
      else if (Number.isFinite(value)) this.#buffer.number(value as number);
      else this.#text(`${value}`);
    } else if (typeof value === 'boolean') this.#buffer.ascii(value ? 'true' : 'false');
    else if (value === undefined) this.#buffer.ascii('null');
    else this.#text(describeValue(value));
  }

  #taken(): void {
    this.#redacted++;
    this.#buffer.ascii('"[redacted]"');
  }

  #text(text: string): void {
    if (text.length > LONG) return this.#long(text);
    if (this.#buffer.at + text.length > this.#limit) return this.#dropped('[cut]');
    const how = this.#scanner.write(text, this.#buffer);
    if (how === 'escapes') this.#buffer.utf8(JSON.stringify(text).replaceAll('\u007f', '\\u007f'));
    else if (how === 'care') this.#buffer.utf8(inQuotes(this.#stripped(text)));
  }

  #short(text: string, key: Key): void {
    if (key.text === text) return this.#buffer.few(key.textBytes);
    const from = this.#buffer.at;
    const changes = this.#redacted + this.#cut;
    this.#text(text);
    if (this.#redacted + this.#cut !== changes) return; // must be counted each time
    key.text = text;
    key.textBytes = Uint8Array.prototype.slice.call(this.#buffer.bytes, from, this.#buffer.at);
  }

  #stripped(text: string): string {
    const result = this.#scanner.strip(text);
    this.#redacted += result.redacted;
    return result.text;
  }

  #long(text: string): void {
    const clean = this.#stripped(text);
    if (this.#buffer.at > this.#limit) return this.#dropped('[cut]');
    this.#cut++;
    const bytes = Buffer.from(clean);
    const preview = clean.slice(0, PREVIEW).replace(/[\ud800-\udbff]$/, ''); // avoids a lone surrogate
    this.#buffer.utf8(`{"cut":${inQuotes(preview)},"bytes":${bytes.length},"sha256":"${lineHash(bytes)}"}`);
  }

  #dropped(text: string): void {
    this.#cut++;
    this.#buffer.ascii(`"${text}"`);
  }

  #guarded(value: object, hidden: Secrecy): void {
    const above = this.#above;
    const depth = this.#depth;
    for (let i = 0; i < depth; i++) if (above[i] === value) return this.#buffer.ascii('"[circular]"');
    if (depth >= DEEPEST) return this.#dropped('[too deep]');
    const { at } = this.#buffer;
    above[depth] = value;
    this.#depth = depth + 1;
    try {
      if (value instanceof FixedList && hidden === 'none') this.#once(value, () => this.#list(value, hidden));
      else if (Array.isArray(value)) this.#list(value, hidden);
      else this.#thing(value, hidden);
    } catch (error) {
      this.#buffer.at = at;
      this.#text(`[unreadable: ${describeValue(error)}]`.slice(0, LONG));
    }
    this.#depth = depth;
    above[depth] = undefined; // releases the reference
  }

  #thing(value: object, hidden: Secrecy): void {
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype === Object.prototype || prototype === null) return this.#members(value, hidden);
    if (value instanceof Card || (value instanceof FixedFields && hidden === 'none'))
      return this.#once(value, () => this.#members(value, 'none'));
    const parts = partsOf(value);
    if (typeof parts !== 'object') return this.#any(parts, hidden);
    if (Array.isArray(parts)) return this.#list(parts, hidden);
    return this.#members(parts, hidden);
  }

  /** Caches the bytes of values that never change. */
  #once(value: object, write: () => void): void {
    const known = this.#fixed.get(value);
    if (known !== undefined) return this.#buffer.many(known);
    const from = this.#buffer.at;
    const changes = this.#redacted + this.#cut;
    write();
    if (this.#redacted + this.#cut === changes)
      this.#fixed.set(value, Buffer.from(this.#buffer.bytes.subarray(from, this.#buffer.at)));
  }

  #list(values: readonly unknown[], hidden: Secrecy): void {
    const buffer = this.#buffer;
    buffer.ascii('[');
    for (let i = 0; i < values.length; i++) {
      if (i > 0) buffer.ascii(',');
      if (buffer.at > this.#limit) {
        this.#dropped(`[${values.length - i} more]`);
        break;
      }
      this.#any(values[i], hidden === 'none' && i > 0 ? this.#namedBefore(values, i) : hidden);
    }
    buffer.ascii(']');
  }

  #members(value: object, hidden: Secrecy): void {
    const buffer = this.#buffer;
    buffer.ascii('{');
    let isFirst = true;
    const names = Object.keys(value);
    for (let i = 0; i < names.length; i++) {
      const name = names[i]!;
      const member = read(value, name);
      if (member === undefined) continue;
      if (buffer.at > this.#limit) {
        buffer.ascii(isFirst ? '"more":' : ',"more":');
        this.#dropped(`[${names.length - i} more]`);
        break;
      }
      const key = this.#key(name);
      buffer.few(key.bytes, isFirst ? 1 : 0);
      this.#redacted += key.redacted;
      isFirst = false;
      const secrecy = hidden === 'none' ? this.#secrecy(value, name, key) : hidden;
      if (typeof member === 'string' && secrecy === 'none' && member.length < SHORT) this.#short(member, key);
      else this.#any(member, secrecy);
    }
    buffer.ascii('}');
  }

  #key(name: string): Key {
    const known = this.#keys.get(name);
    if (known !== undefined) return known;
    const short = name.length > 256 ? `${name.slice(0, 256)}…` : name;
    const { text: clean, redacted } = this.#scanner.strip(short);
    const bytes = new TextEncoder().encode(`,${inQuotes(clean)}:`);
    const key = { bytes, redacted, secrecy: secrecyOf(name), text: '', textBytes: EMPTY };
    if (this.#keys.size >= KEYS_KEPT) this.#keys.clear();
    this.#keys.set(name, key);
    return key;
  }

  /** `{ at: ['env', 'API_TOKEN'], to }` and `{ name: 'Cookie', value }`: the name may be in another field. */
  #secrecy(value: object, name: string, key: Key): Secrecy {
    if (key.secrecy !== 'none' || (name !== 'to' && name !== 'value')) return key.secrecy;
    for (const beside of namedParts(value)) {
      const { secrecy } = this.#key(beside);
      if (secrecy !== 'none') return secrecy;
    }
    return 'none';
  }

  /** `['--token', 'x']` and `['authorization', 'x', …]`: the name may be the previous item. */
  #namedBefore(values: readonly unknown[], i: number): Secrecy {
    const name = values[i - 1];
    if (typeof name !== 'string' || name.length > 64 || typeof values[i] !== 'string') return 'none';
    if (name.charCodeAt(0) !== 45 && (i % 2 === 0 || values.length % 2 === 1)) return 'none';
    return this.#key(name).secrecy;
  }
}

function read(value: object, name: string): unknown {
  try {
    return (value as Record<string, unknown>)[name];
  } catch (error) {
    return `[unreadable: ${describeValue(error)}]`;
  }
}

/**
 * Returns what is recorded for an instance of a class (Map, Error, Date, …): a text, a list or its members.
 * May throw; the caller catches.
 */
function partsOf(value: object): string | readonly unknown[] | object {
  if (value instanceof Map) {
    const pairs = [...value] as [unknown, unknown][];
    return pairs.every(([name]) => typeof name === 'string') ? membersOf(pairs) : pairs;
  }
  if (value instanceof Set) return [...value] as unknown[];
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return `[${value.byteLength} bytes]`;
  if (value instanceof Error) {
    const { name, message, stack, cause } = value;
    return { ...value, name, message, stack, cause };
  }
  if (value instanceof Date || value instanceof URL || value instanceof RegExp) return describeValue(value);
  if (value instanceof Headers || value instanceof URLSearchParams) return membersOf([...value]);
  if (value instanceof String || value instanceof Number || value instanceof Boolean)
    return describeValue(value);
  return value;
}

/**
 * Returns the names that tell whether `value` or `to` is a secret: in `{ name: 'token', value }`, `token`.
 */
function namedParts(value: object): string[] {
  const { at, name, key } = value as {
    readonly at?: unknown;
    readonly name?: unknown;
    readonly key?: unknown;
  };
  return [name, key, ...(Array.isArray(at) ? at : [])].filter((part) => typeof part === 'string');
}

function membersOf(pairs: readonly (readonly [unknown, unknown])[]): object {
  const members = Object.create(null) as Record<string, unknown>;
  for (const [name, value] of pairs) members[describeValue(name)] = value;
  return members;
}
