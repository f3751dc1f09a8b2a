import { frame } from './frames.mjs';

/** What crosses at a time. Others go between two pieces. */
const PIECE_BYTES = 131_072;
/** What is shorter goes with its job. */
export const isLarge = (body: Buffer): boolean => body.length > PIECE_BYTES;

/** A piece of a payload, as the helper reads it. */
export interface PieceHead {
  readonly id: number;
  readonly piece: 'more' | 'last';
}

/** Large payloads cross the pipe in pieces and in turns: no job waits behind the payload of another one. */
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
  /** Its hook has ended: nobody will read the rest. */
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
    if (rest.length > 0) this.#unsent.set(id, rest); // behind all others
    const head: PieceHead = { id, piece: rest.length > 0 ? 'more' : 'last' };
    this.#write(frame(head, body.subarray(0, PIECE_BYTES)), () => this.#next());
  }
}
