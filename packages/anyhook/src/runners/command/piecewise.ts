import { frame } from './frames.mjs';

/** Size of one piece. Other messages are sent between two pieces. */
const PIECE_BYTES = 131_072;
/** A smaller payload is sent with its job. */
export const isLarge = (body: Buffer): boolean => body.length > PIECE_BYTES;

/** Head of a piece of a payload. */
export interface PieceHead {
  readonly id: number;
  readonly piece: 'more' | 'last';
}

/** Sends large payloads in pieces by turns, so that no job waits for the payload of another. */
export class Piecewise {
  readonly #write: (parts: Buffer[], onWritten: () => void) => void;
  readonly #unsent = new Map<number, Buffer>();
  #isWriting = false;

  constructor(write: (parts: Buffer[], onWritten: () => void) => void) {
    this.#write = write;
  }

  send(id: number, body: Buffer): void {
    this.#unsent.set(id, body);
    if (!this.#isWriting) this.#next();
  }
  /** Its hook has ended, so the rest is not needed. */
  drop(id: number): void {
    this.#unsent.delete(id);
  }

  #next(): void {
    const [turn] = this.#unsent;
    this.#isWriting = turn !== undefined;
    if (turn === undefined) return;
    const [id, body] = turn;
    const rest = body.subarray(PIECE_BYTES);
    this.#unsent.delete(id);
    if (rest.length > 0) this.#unsent.set(id, rest); // last in turn
    const head: PieceHead = { id, piece: rest.length > 0 ? 'more' : 'last' };
    this.#write(frame(head, body.subarray(0, PIECE_BYTES)), () => this.#next());
  }
}
