/**
 * Records how much of each journal was sent to one destination. An append-only log that is flushed before each send
 * and compacted by a rename. At most one chunk, `pending`, was sent but not recorded; it is sent again after a kill,
 * and the receiver recognizes it.
 */

import { closeSync, existsSync, fdatasyncSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { SHIPPED } from 'anyhook/journal';
import writeFileAtomic from 'write-file-atomic';
import type { Chunk, Cursor } from './chunk.ts';

/** A chunk without its bytes, which are still in the file. */
export interface PendingChunk extends Omit<Chunk, 'bytes'> {
  /** The receiver detects a duplicate by this id. */
  readonly id: string;
}

interface Kept {
  readonly cursor?: Cursor;
  readonly pending?: PendingChunk;
  /** The number that the destination gave to the last chunk. */
  readonly seq?: number;
  /** State of the destination for the next run. */
  readonly state?: unknown;
}

const MOST_BYTES = 2 * 1024 * 1024;

export class Cursors {
  readonly #file: string;
  readonly #byFile = new Map<string, Cursor>();
  #fd: number | undefined;
  #bytes = 0;
  #unsaved: Kept[] = [];
  /** No cursor file existed, so it is unknown what was sent. */
  readonly isNew: boolean;
  pending: PendingChunk | undefined;
  seq: number | undefined;
  state: unknown;

  constructor(folder: string, place: string) {
    mkdirSync(join(folder, SHIPPED), { recursive: true, mode: 0o700 });
    this.#file = join(folder, SHIPPED, `${place}.jsonl`);
    this.isNew = !existsSync(this.#file);
    for (const kept of readKept(this.#file)) this.#apply(kept);
    this.#rewrite();
  }

  get(file: string): Cursor | undefined {
    return this.#byFile.get(file);
  }

  /** The file name under which this journal is already being sent. */
  nameOf(journal: string): string | undefined {
    for (const { file, journal: known } of this.#byFile.values()) if (known === journal) return file;
    return undefined;
  }

  /** Returns after the chunk is recorded on disk. */
  begin(pending: PendingChunk): void {
    this.#unsaved.push({ pending });
    this.pending = pending;
    this.save();
  }

  /** Written with the next `begin` or `save`. A kill before that costs one duplicate, which the receiver detects. */
  done(cursor: Cursor, seq: number | undefined, state?: unknown): void {
    const kept = { cursor, ...(seq !== undefined && { seq }), ...(state !== undefined && { state }) };
    this.#apply(kept);
    this.#unsaved.push(kept);
  }

  save(): void {
    if (this.#unsaved.length === 0) return;
    if (this.#bytes > MOST_BYTES) return this.#rewrite();
    this.#fd ??= openSync(this.#file, 'a', 0o600);
    this.#bytes += writeSync(this.#fd, linesFor(this.#unsaved));
    fdatasyncSync(this.#fd);
    this.#unsaved = [];
  }

  close(): void {
    this.save();
    if (this.#fd !== undefined) closeSync(this.#fd);
    this.#fd = undefined;
  }

  #apply({ cursor, pending, seq, state }: Kept): void {
    if (seq !== undefined) this.seq = seq;
    if (state !== undefined) this.state = state;
    if (cursor !== undefined) this.#byFile.set(cursor.file, cursor);
    this.pending = pending;
  }

  #rewrite(): void {
    if (this.#fd !== undefined) closeSync(this.#fd);
    this.#fd = undefined;
    const { seq, state, pending } = this;
    const last = {
      ...(seq !== undefined && { seq }),
      ...(state !== undefined && { state }),
      ...(pending !== undefined && { pending }),
    };
    const text = linesFor([...[...this.#byFile.values()].map((cursor) => ({ cursor })), last]);
    writeFileAtomic.sync(this.#file, text, { mode: 0o600 });
    this.#bytes = 0; // Lines since the last compaction.
    this.#unsaved = [];
  }
}

const linesFor = (all: readonly Kept[]): string => all.map((kept) => `${JSON.stringify(kept)}\n`).join('');

/** Skips an incomplete last line. */
function* readKept(file: string): Generator<Kept> {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  const lines = text.split('\n');
  for (const [at, line] of lines.slice(0, -1).entries())
    try {
      yield JSON.parse(line) as Kept;
    } catch {
      throw new Error(
        `${file}:${at + 1} cannot be read: what went out is not known. Remove the file to send everything again.`,
      );
    }
}
