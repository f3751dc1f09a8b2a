/** Reads the lines of a file in blocks, by byte offset: forwards from an offset, or the lines before one. */

import { closeSync, readSync } from 'node:fs';
import type { ReadRecord } from './guard.ts';
import { openRegular } from './open-regular.ts';
import { readLine } from './read-line.ts';

export type PlacedEntry =
  | { readonly kind: 'record'; readonly at: number; readonly record: ReadRecord }
  | { readonly kind: 'damage'; readonly at: number; readonly bytes: number; readonly why: string };

export interface LineBlock {
  readonly entries: readonly PlacedEntry[];
  /** Offset of the first line. */
  readonly from: number;
  /** Offset after the newline of the last line. */
  readonly to: number;
}

const BLOCK = 512 * 1024;
const NEWLINE = 0x0a;

/**
 * Returns the complete lines in the next half megabyte, or one longer line. A line without a newline is still
 * being written and is left out.
 */
export function linesFrom(file: string, from: number, size: number): LineBlock {
  const { bytes, end } = wholeLines(file, from, size);
  const entries = end === 0 ? [] : entriesIn(bytes.subarray(0, end - 1), from);
  return { entries, from, to: from + end };
}

/** `end` is the offset after the newline of the last complete line, or 0. */
function wholeLines(
  file: string,
  from: number,
  size: number,
): { readonly bytes: Buffer; readonly end: number } {
  for (let length = Math.min(BLOCK, size - from); length > 0; length = Math.min(length * 2, size - from)) {
    const bytes = bytesAt(file, from, length);
    const end = bytes.lastIndexOf(NEWLINE) + 1;
    if (end > 0) return { bytes, end };
    if (bytes.length < length || length === size - from) break;
  }
  return { bytes: Buffer.alloc(0), end: 0 };
}

/**
 * Like `linesFrom`, but reads only lines that contain one of these texts. The list may grow while the entries are taken, for the
 * lines that follow.
 */
export function* linesWith(
  file: string,
  from: number,
  size: number,
  texts: () => readonly string[],
): Generator<PlacedEntry, number> {
  const { bytes, end } = wholeLines(file, from, size);
  for (let at = 0; at < end;) {
    const hits = texts().flatMap((text) => {
      const hit = bytes.indexOf(text, at);
      return hit === -1 || hit >= end ? [] : [hit];
    });
    if (hits.length === 0) break;
    const first = Math.min(...hits);
    const start = bytes.lastIndexOf(NEWLINE, first) + 1;
    at = bytes.indexOf(NEWLINE, first) + 1;
    yield* entriesIn(bytes.subarray(start, at - 1), from + start);
  }
  return from + end;
}

/**
 * Returns at least `count` lines before an offset, in file order, or all there are. Leaves out a line without
 * a newline.
 */
export function linesBefore(file: string, before: number, count: number): LineBlock {
  let bytes: Buffer = Buffer.alloc(0);
  let from = before;
  for (;;) {
    const start = from === 0 ? 0 : bytes.indexOf(NEWLINE) + 1;
    const isEnough = from === 0 || (start > 0 && newlinesIn(bytes) > count);
    if (isEnough) {
      const end = bytes.lastIndexOf(NEWLINE);
      const first = from + start;
      if (end < start) return { entries: [], from: first, to: first };
      return { entries: entriesIn(bytes.subarray(start, end), first), from: first, to: from + end + 1 };
    }
    const length = Math.min(from, Math.max(BLOCK, bytes.length));
    from -= length;
    bytes = Buffer.concat([bytesAt(file, from, length), bytes]);
  }
}

/** Returns the record at an offset, or undefined if no complete record starts there. */
export function recordAt(file: string, at: number, size: number): ReadRecord | undefined {
  const bytes = bytesAt(file, at, Math.min(BLOCK, size - at));
  const end = bytes.indexOf(NEWLINE);
  const [entry] = end === -1 ? [] : entriesIn(bytes.subarray(0, end), at);
  return entry?.kind === 'record' ? entry.record : undefined;
}

function entriesIn(bytes: Buffer, at: number): PlacedEntry[] {
  const entries: PlacedEntry[] = [];
  for (let from = 0; from <= bytes.length;) {
    const found = bytes.indexOf(NEWLINE, from);
    const to = found === -1 ? bytes.length : found;
    for (const part of readLine(bytes.subarray(from, to))) {
      const place = at + from + part.from;
      if (part.entry.kind === 'record') entries.push({ ...part.entry, at: place });
      else entries.push({ ...part.entry, at: place, bytes: part.to - part.from });
    }
    from = to + 1;
  }
  return entries;
}

function newlinesIn(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) count++;
  return count;
}

function bytesAt(file: string, at: number, length: number): Buffer {
  if (length <= 0) return Buffer.alloc(0);
  const fd = openRegular(file);
  try {
    const bytes = Buffer.allocUnsafe(length);
    return bytes.subarray(0, readSync(fd, bytes, 0, length, at));
  } finally {
    closeSync(fd);
  }
}
