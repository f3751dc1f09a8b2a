import type { Chunk, Cursor } from './chunk.ts';
import type { PendingChunk } from './cursors.ts';

/** Where chunks go. One at a time: the next is sent when this one is safe. */
export interface Place {
  /** Names the file of its cursors. */
  readonly key: string;
  /** For a person. */
  readonly name: string;
  /** So many bytes of a chunk are taken at most. */
  readonly most: number;
  readonly takesHeads: boolean;
  /** Kept with the cursor of each chunk that is safe, and handed back to the next run. */
  readonly state?: unknown;
  /** How far it has got, by its own account; the last word on a file is the one that counts. */
  known?(): AsyncIterable<Cursor>;
  idOf(chunk: Chunk): string;
  /**
   * Resolves when the chunk is safe there, after however many tries, with the number it has there, if it has one. Rejects only
   * when it was told to stop, or with `TooLarge`.
   */
  send(chunk: Chunk, id: string): Promise<number | undefined>;
  close(): Promise<void>;
}

/** What the last run knew when it ended. */
export interface ResumePoint {
  readonly seq: number | undefined;
  readonly pending: PendingChunk | undefined;
  readonly state: unknown;
}

/** The chunk was refused for its size alone: nothing of it is there. */
export class TooLarge extends Error {
  override readonly name = 'TooLarge';
  /** What to try instead. */
  readonly most: number;
  constructor(most: number) {
    super(`only ${most} bytes are taken`);
    this.most = most;
  }
}
