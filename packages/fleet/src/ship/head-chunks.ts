/** Sends the heads of the chains with the records, so that the receiver can detect missing records. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Chunk, type Cursor, digest } from './chunk.ts';
import type { Cursors } from './cursors.ts';

/** Size of a line in a head: a writer and its last record. */
const SLOT_BYTES = 101;

export interface HeadLook {
  chunks(most: number): Iterable<{ readonly chunk: Chunk; readonly cursor: Cursor }>;
}

export class HeadChunks {
  readonly #folder: string;
  readonly #cursors: Cursors;
  /** Last sent content. Lines of a head are rewritten in place, and only changes are sent. */
  readonly #sent = new Map<string, Buffer>();

  constructor(folder: string, cursors: Cursors) {
    this.#folder = folder;
    this.#cursors = cursors;
  }

  look(file: string): HeadLook | undefined {
    let now: Buffer;
    try {
      now = readFileSync(join(this.#folder, file));
    } catch {
      return undefined; // The journal has no head. The verifier reports that.
    }
    const cursor = { file, journal: 'head', to: now.length, tail: digest(now) };
    if (now.length === 0 || this.#cursors.get(file)?.tail === cursor.tail) return undefined;
    const before = this.#sent.get(file);
    return {
      chunks: function* (this: HeadChunks, most: number) {
        const start = firstDifference(before, now);
        const step = Math.max(1, Math.floor(most / SLOT_BYTES)) * SLOT_BYTES;
        for (let from = start; from < now.length; from += step) {
          const to = Math.min(now.length, from + step);
          const bytes = now.subarray(from, to);
          yield {
            chunk: { kind: 'head', file, journal: 'head', from, to, bytes, isWithinLine: false } as const,
            cursor: to === now.length ? cursor : { ...cursor, to, tail: '' },
          };
        }
        this.#sent.set(file, now);
      }.bind(this),
    };
  }
}

function firstDifference(before: Buffer | undefined, now: Buffer): number {
  if (before === undefined) return 0;
  for (let at = 0; at < now.length; at += SLOT_BYTES)
    if (!before.subarray(at, at + SLOT_BYTES).equals(now.subarray(at, at + SLOT_BYTES))) return at;
  return now.length;
}
