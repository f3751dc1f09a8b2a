import type { Chunk, Cursor } from './chunk.ts';
import type { PendingChunk } from './cursors.ts';

/** A destination of chunks. The next chunk is sent when the previous one is stored. */
export interface Place {
  /** Names the cursor file. */
  readonly key: string;
  /** Name for messages. */
  readonly name: string;
  /** Maximum chunk size in bytes. */
  readonly most: number;
  readonly takesHeads: boolean;
  /** State that is stored with each cursor and passed to the next run. */
  readonly state?: unknown;
  /** Cursors as the destination knows them. The last one for a file is valid. */
  known?(): AsyncIterable<Cursor>;
  idOf(chunk: Chunk): string;
  /**
   * Resolves when the chunk is stored, with its sequence number if there is one. Retries until then. Rejects only when
   * aborted, or with `TooLarge`.
   */
  send(chunk: Chunk, id: string): Promise<number | undefined>;
  close(): Promise<void>;
}

/** State at the end of the last run. */
export interface ResumePoint {
  readonly seq: number | undefined;
  readonly pending: PendingChunk | undefined;
  readonly state: unknown;
}

/** The chunk was rejected for its size, and nothing was stored. */
export class TooLarge extends Error {
  override readonly name = 'TooLarge';
  /** Maximum size to try instead. */
  readonly most: number;
  constructor(most: number) {
    super(`only ${most} bytes are taken`);
    this.most = most;
  }
}
