/**
 * Follows one transcript of an agent. Each line is read once, in steps of limited size, so that an event costs the same at
 * any length. The path comes from the agent and is not trusted: only regular files are read, and only numbers come out.
 */

import { createHash } from 'node:crypto';
import { closeSync, fstatSync, readSync, type Stats } from 'node:fs';
import type { UsageReader } from '../agents/shared/usage/source.ts';
import { addStatement, EMPTY_TALLY, highest, type UsageTally } from '../agents/shared/usage/tally.ts';
import { isFields } from '../events/fields.ts';
import type { Usage } from '../events/usage.ts';
import { openRegular } from '../journal/open-regular.ts';

/** Bytes that are read at once. A longer line is skipped. */
export const STEP_BYTES = 256 * 1024;
const ANCHOR_BYTES = 64;
const NEWLINE = 0x0a;

/** How far a transcript was read. Plain data, so that it can be stored. */
export interface TranscriptState {
  readonly offset: number;
  readonly inode: number;
  /** Hash of the bytes before the offset. Another hash means that the file was replaced. */
  readonly anchor: string;
  readonly tally: UsageTally;
  /** Highest totals of the file before it was replaced. */
  readonly floor?: Usage['session'];
  /** The offset is inside of a line that is too long. */
  readonly isInLongLine?: true;
}
const START: TranscriptState = { offset: 0, inode: 0, anchor: '', tally: EMPTY_TALLY };

export class Transcript {
  readonly file: string;
  readonly #reader: UsageReader;
  #state: TranscriptState;
  /** Figures from the end of the file, until everything before was read. */
  #tail: UsageTally | undefined;
  #fault: string | undefined;

  constructor(file: string, reader: UsageReader, state: TranscriptState = START) {
    this.file = file;
    this.#reader = reader;
    this.#state = state;
  }
  get state(): TranscriptState {
    return this.#state;
  }
  get isComplete(): boolean {
    return this.#tail === undefined;
  }
  get usage(): Usage {
    const { tally, floor } = this.#state;
    const { session, last, contextTokens, contextWindow } = this.#tail === undefined ? tally : this.#tail;
    const totals = highest(floor, this.#tail === undefined ? session : (tally.session ?? session));
    return {
      ...(totals && { session: { ...totals, ...(this.#tail && { isPartial: true as const }) } }),
      ...(last && { last }),
      ...(contextTokens !== undefined && { contextTokens }),
      ...(contextWindow !== undefined && { contextWindow }),
      ...(this.#fault !== undefined && { fault: this.#fault }),
    };
  }

  /** Reads what is new, in two steps at most. If more is left, the second one reads the end of the file. */
  read(): void {
    let fd: number;
    try {
      fd = openRegular(this.file);
    } catch (error) {
      this.#fault = faultOf(error, this.file);
      return;
    }
    try {
      this.#fault = undefined;
      this.#readStep(fd, fstatSync(fd));
    } catch (error) {
      this.#fault = faultOf(error, this.file);
    } finally {
      closeSync(fd);
    }
  }

  #readStep(fd: number, { size, ino }: Stats): void {
    if (this.#wasReplaced(fd, size, ino)) {
      const floor = highest(this.#state.floor, this.#state.tally.session);
      this.#state = { ...START, ...(floor && { floor }) };
    }
    const isBehind = size - this.#state.offset > STEP_BYTES;
    if (isBehind && this.#reader.isCumulative === true) {
      const from = size - STEP_BYTES;
      const end = this.#foldAt(fd, from, { tally: this.#state.tally, isInLongLine: true });
      if (end.tally.session !== undefined) return this.#reached(fd, ino, from, end);
    }
    this.#advance(fd, ino);
    const left = size - this.#state.offset;
    if (left > STEP_BYTES)
      this.#tail = this.#foldAt(fd, size - STEP_BYTES, { tally: EMPTY_TALLY, isInLongLine: true }).tally;
    else if (left > 0) this.#advance(fd, ino);
  }
  #advance(fd: number, inode: number): void {
    const { offset, tally, isInLongLine } = this.#state;
    const step = this.#foldAt(fd, offset, { tally, ...(isInLongLine && { isInLongLine }) });
    this.#reached(fd, inode, offset, step);
  }

  #reached(fd: number, inode: number, from: number, { bytes, tally, isInLongLine }: Folded): void {
    const offset = from + bytes;
    const { floor } = this.#state;
    this.#tail = undefined;
    this.#state = {
      offset,
      inode,
      anchor: anchorAt(fd, offset),
      tally,
      ...(floor && { floor }),
      ...(isInLongLine && { isInLongLine }),
    };
  }

  #wasReplaced(fd: number, size: number, inode: number): boolean {
    const { offset, inode: known, anchor } = this.#state;
    return offset > 0 && (size < offset || inode !== known || anchorAt(fd, offset) !== anchor);
  }

  /** Folds the complete lines of one step. */
  #foldAt(fd: number, from: number, start: Pick<TranscriptState, 'tally' | 'isInLongLine'>): Folded {
    const buffer = Buffer.allocUnsafe(STEP_BYTES);
    const chunk = buffer.subarray(0, readSync(fd, buffer, 0, STEP_BYTES, from));
    let { tally } = start;
    let lineStart = 0;
    if (start.isInLongLine) {
      const end = chunk.indexOf(NEWLINE);
      if (end === -1) return { bytes: chunk.length, tally, isInLongLine: true };
      lineStart = end + 1;
    }
    for (let end = chunk.indexOf(NEWLINE, lineStart); end !== -1; end = chunk.indexOf(NEWLINE, lineStart)) {
      tally = this.#foldLine(chunk.subarray(lineStart, end), tally);
      lineStart = end + 1;
    }
    if (lineStart === 0 && chunk.length === STEP_BYTES)
      return { bytes: chunk.length, tally, isInLongLine: true };
    return { bytes: lineStart, tally };
  }
  #foldLine(line: Buffer, tally: UsageTally): UsageTally {
    if (!this.#reader.marks.some((mark) => line.includes(mark))) return tally;
    const value = jsonIn(line);
    const statement = isFields(value) ? this.#reader.read(value) : undefined;
    return statement === undefined ? tally : addStatement(tally, statement);
  }
}

interface Folded extends Pick<TranscriptState, 'tally' | 'isInLongLine'> {
  /** How many bytes are done. */
  readonly bytes: number;
}

function anchorAt(fd: number, offset: number): string {
  const from = Math.max(0, offset - ANCHOR_BYTES);
  const bytes = Buffer.alloc(offset - from);
  readSync(fd, bytes, 0, bytes.length, from);
  return createHash('sha256').update(bytes).digest('base64url').slice(0, 16);
}

/** A damaged line is skipped. */
function jsonIn(line: Buffer): unknown {
  try {
    return JSON.parse(line.toString('utf8'));
  } catch {
    return undefined;
  }
}

function faultOf(error: unknown, file: string): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' ? `there is no transcript ${file}` : `the transcript cannot be read: ${message}`;
}
