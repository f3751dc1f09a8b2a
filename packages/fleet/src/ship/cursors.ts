/**
 * How far each journal has gone out to one place, and what was about to go. A log of lines that is only appended to, and
 * flushed before anything is sent; it is written anew, by one rename, when it has grown. What was sent and not yet noted is
 * the one chunk that is `pending`: after a kill exactly this one is sent again, and whoever gets it can tell.
 */
import { closeSync, existsSync, fdatasyncSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { SHIPPED } from 'anyhook/journal';
import type { Chunk, Cursor } from './chunk.ts';

/** A chunk without its bytes: the file still has them. */
export interface PendingChunk extends Omit<Chunk, 'bytes'> {
  /** By which the place knows it again. */
  readonly id: string;
}

interface Kept {
  readonly cursor?: Cursor;
  readonly pending?: PendingChunk;
  /** The number that the place gave to the last chunk. */
  readonly seq?: number;
  /** What the place wants to know again. */
  readonly state?: unknown;
}

const MOST_BYTES = 2 * 1024 * 1024;

export class Cursors {
  readonly #file: string;
  readonly #byFile = new Map<string, Cursor>();
  #fd: number | undefined;
  #bytes = 0;
  #unsaved: Kept[] = [];
  /** There was no file: nothing was ever sent from here, or nobody knows. */
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

  /** The file under whose name this journal goes out already. */
  nameOf(journal: string): string | undefined {
    for (const { file, journal: known } of this.#byFile.values()) if (known === journal) return file;
    return undefined;
  }

  /** On the disk before it returns. */
  begin(pending: PendingChunk): void {
    this.#unsaved.push({ pending });
    this.pending = pending;
    this.save();
  }

  /** Kept with the next `begin` or `save`: a kill before that costs one answer of "I have it". */
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
    this.#bytes = 0; // since it was last written anew
    this.#unsaved = [];
  }
}

const linesFor = (all: readonly Kept[]): string => all.map((kept) => `${JSON.stringify(kept)}\n`).join('');

/** A last line that was not finished was not kept. */
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
