/** A part of a journal for sending: the exact bytes of the file, so that any receiver can check its chain. */

import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { basename, join } from 'node:path';

export interface Chunk {
  /** `lines` of a session, or a part of the `head` of its chains. */
  readonly kind: 'lines' | 'head';
  /** File name in the folder. */
  readonly file: string;
  /** Identifies the journal by its first line, independent of the file name. */
  readonly journal: string;
  readonly from: number;
  readonly to: number;
  readonly bytes: Buffer;
  /** The bytes start within a line; its beginning was sent earlier. */
  readonly isWithinLine: boolean;
}

/** How much of a file was sent. */
export interface Cursor {
  readonly file: string;
  readonly journal: string;
  readonly to: number;
  /** Hash of the bytes before `to`, which detects a rewritten file. Empty if unknown. */
  readonly tail: string;
  readonly isWithinLine?: boolean;
}

const NEWLINE = 0x0a;
const TAIL_BYTES = 128;
/** Longer than any line of a journal. */
const LONGEST_LINE = 1024 * 1024;

export const digest = (bytes: Uint8Array): string =>
  createHash('sha256').update(bytes).digest('hex').slice(0, 32);

/** An open file, up to its size at the last `look`. */
export class JournalFile {
  readonly name: string;
  size: number;
  readonly #fd: number;

  constructor(folder: string, name: string) {
    this.name = basename(name);
    this.#fd = openSync(join(folder, this.name), constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
    this.size = fstatSync(this.#fd).size;
  }

  /** Includes what was written since the last call. */
  look(): void {
    this.size = fstatSync(this.#fd).size;
  }

  close(): void {
    closeSync(this.#fd);
  }

  bytes(from: number, to: number): Buffer {
    const bytes = Buffer.allocUnsafe(Math.max(0, Math.min(to, this.size) - from));
    return bytes.subarray(0, readSync(this.#fd, bytes, 0, bytes.length, from));
  }

  /** Undefined until the first line is complete. */
  journal(): string | undefined {
    const start = this.bytes(0, LONGEST_LINE);
    const end = start.indexOf(NEWLINE);
    return end === -1 ? undefined : digest(start.subarray(0, end));
  }

  tail(to: number): string {
    return digest(this.bytes(Math.max(0, to - TAIL_BYTES), to));
  }

  cursor(journal: string, to: number): Cursor {
    const isWithinLine = to > 0 && this.bytes(to - 1, to)[0] !== NEWLINE;
    return { file: this.name, journal, to, tail: this.tail(to), ...(isWithinLine && { isWithinLine }) };
  }

  /**
   * Returns complete lines of at most `most` bytes, or the first `most` bytes of a longer line. Undefined if no line
   * is complete.
   */
  next({ journal, to: from, isWithinLine = false }: Cursor, most: number): Chunk | undefined {
    const read = this.bytes(from, from + most);
    const end = read.lastIndexOf(NEWLINE) + 1;
    const isPiece = end === 0 && read.length === most && this.#endsLine(from + most);
    const bytes = read.subarray(0, isPiece ? most : end);
    if (bytes.length === 0) return undefined;
    return { kind: 'lines', file: this.name, journal, from, to: from + bytes.length, bytes, isWithinLine };
  }

  #endsLine(from: number): boolean {
    return this.bytes(from, from + LONGEST_LINE).includes(NEWLINE);
  }
}
