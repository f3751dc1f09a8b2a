/** Reads newline-delimited messages from stdio chunks. */
export interface WireListener {
  line(text: string): void;
  /** The message was skipped, so its content is unknown. */
  tooLong(bytes: number): void;
}

const NEWLINE = 0x0a;

export class LineReader {
  readonly #listener: WireListener;
  readonly #longest: number;
  #pieces: Buffer[] = [];
  #bytes = 0;

  constructor(listener: WireListener, longestBytes: number) {
    [this.#listener, this.#longest] = [listener, longestBytes];
  }

  push(chunk: Buffer): void {
    let rest = chunk;
    for (let end = rest.indexOf(NEWLINE); end !== -1; end = rest.indexOf(NEWLINE)) {
      this.#keep(rest.subarray(0, end));
      this.#give();
      rest = rest.subarray(end + 1);
    }
    this.#keep(rest);
  }

  /** Text after the last newline: a truncated message. */
  get cut(): string {
    return Buffer.concat(this.#pieces).toString().trim();
  }

  #keep(piece: Buffer): void {
    this.#bytes += piece.length;
    if (this.#bytes <= this.#longest) this.#pieces.push(piece);
    else this.#pieces = [];
  }

  #give(): void {
    const [pieces, bytes] = [this.#pieces, this.#bytes];
    [this.#pieces, this.#bytes] = [[], 0];
    if (bytes > this.#longest) return this.#listener.tooLong(bytes);
    const text = Buffer.concat(pieces).toString().trim();
    if (text !== '') this.#listener.line(text);
  }
}
