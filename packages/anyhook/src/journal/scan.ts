/**
 * Finds many literals in one pass over a text. Three case-folded characters form a 15-bit number, and a table
 * tells whether any rule starts with them. Most texts contain none and cost about two nanoseconds per
 * character, independent of the number of rules.
 */

import type { ByteBuffer } from './byte-buffer.ts';
import type { SecretRule, Span } from './secret-formats.ts';

export interface Scanner {
  /**
   * Writes the text in quotes, unless it needs `escapes` (ASCII without a secret) or `care` (a possible
   * secret, or characters beyond ASCII).
   */
  write(text: string, buffer: ByteBuffer): 'written' | 'escapes' | 'care';
  /** Returns the text without its secrets. Scans left to right and does not scan what it has redacted. */
  strip(text: string): { readonly text: string; readonly redacted: number };
}

const BITS = 0x7fff;
/** Below this length, a loop is faster than a native call. */
const SHORT = 24;
const QUOTE = 34;
const BACKSLASH = 92;
/** Maps a byte to its low 5 bits (which ignore case), plus a bit for characters that JSON escapes. */
const ODD = 32;
const FOLDED = Uint8Array.from({ length: 256 }, (_, c) =>
  c < 32 || c > 126 || c === QUOTE || c === BACKSLASH ? (c & 31) | ODD : c & 31,
);

export function createScanner(rules: readonly SecretRule[]): Scanner {
  const { table, buckets } = indexed(rules);

  const spanAt: SpanAt = (text, key, at, within) => {
    for (const rule of buckets.get(key)!) {
      if ((within && rule.exact !== true) || !standsAt(text, rule, at)) continue;
      const span = rule.find(text, at);
      if (span !== undefined) return span;
    }
    return undefined;
  };

  /** Returns true if a secret may start two bytes before one of these bytes. */
  const mayStandAt = (text: string, bytes: Uint8Array, from: number, at: number, end: number): boolean => {
    for (let i = Math.max(at, from + 2); i < end; i++) {
      const key = ((bytes[i - 2]! & 31) << 10) | ((bytes[i - 1]! & 31) << 5) | (bytes[i]! & 31);
      if (table[key] === 1 && spanAt(text, key, i - from - 2, false) !== undefined) return true;
    }
    return false;
  };

  return {
    write(text, buffer) {
      const { length } = text;
      buffer.room(3 * length + 2);
      const { bytes } = buffer;
      const from = buffer.at + 1;
      if (!isAsciiIn(bytes, from, text)) return 'care';
      const end = from + length;
      let [key, odd, i] = [0, 0, from];
      // Checks four bytes at once, which halves the time.
      for (; i + 3 < end; i += 4) {
        const a = FOLDED[bytes[i]!]!;
        const b = FOLDED[bytes[i + 1]!]!;
        const c = FOLDED[bytes[i + 2]!]!;
        const d = FOLDED[bytes[i + 3]!]!;
        odd |= a | b | c | d;
        const first = ((key << 5) | (a & 31)) & BITS;
        const second = ((first << 5) | (b & 31)) & BITS;
        const third = ((second << 5) | (c & 31)) & BITS;
        key = ((third << 5) | (d & 31)) & BITS;
        const wakes = table[first]! | table[second]! | table[third]! | table[key]!;
        if (wakes !== 0 && mayStandAt(text, bytes, from, i, i + 4)) return 'care';
      }
      if (mayStandAt(text, bytes, from, i, end)) return 'care';
      for (; i < end; i++) odd |= FOLDED[bytes[i]!]!;
      if (odd >= ODD) return 'escapes';
      bytes[from - 1] = QUOTE;
      bytes[end] = QUOTE;
      buffer.at = end + 1;
      return 'written';
    },
    strip: (text) => strip(text, table, spanAt),
  };
}

type SpanAt = (text: string, key: number, at: number, within: boolean) => Span | undefined;

function strip(text: string, table: Uint8Array, spanAt: SpanAt): ReturnType<Scanner['strip']> {
  let [clean, done, redacted, key] = ['', 0, 0, 0];
  for (let i = 0; i < text.length; i++) {
    key = ((key << 5) | (text.charCodeAt(i) & 31)) & BITS;
    if (table[key] !== 1 || i < 2) continue;
    const span = spanAt(text, key, i - 2, i - 2 < done);
    if (span === undefined || span.to <= done) continue;
    if (span.from >= done) {
      clean += `${text.slice(done, span.from)}[redacted:${span.label}]`;
      redacted++;
    }
    done = span.to;
  }
  return { text: clean + text.slice(done), redacted };
}

/** Bytes are faster to read than the characters of a string, and they have to be written anyway. */
function isAsciiIn(bytes: Buffer, from: number, text: string): boolean {
  const { length } = text;
  if (length >= SHORT) return bytes.write(text, from, 'utf8') === length;
  for (let i = 0; i < length; i++) {
    const c = text.charCodeAt(i);
    if (c > 126) return false;
    bytes[from + i] = c;
  }
  return true;
}

function indexed(rules: readonly SecretRule[]) {
  const table = new Uint8Array(BITS + 1);
  const buckets = new Map<number, SecretRule[]>();
  for (const rule of rules) {
    const key = trigram(rule.literal);
    table[key] = 1;
    const bucket = buckets.get(key);
    if (bucket === undefined) buckets.set(key, [rule]);
    else bucket.push(rule);
  }
  return { table, buckets };
}

function trigram(literal: string): number {
  let key = 0;
  for (let i = 0; i < 3; i++) key = ((key << 5) | (literal.charCodeAt(i) & 31)) & BITS;
  return key;
}

const standsAt = (text: string, { literal, anyCase }: SecretRule, at: number): boolean =>
  text.startsWith(literal, at) || (anyCase && text.slice(at, at + literal.length).toLowerCase() === literal);
