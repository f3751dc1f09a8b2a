/** Splits bytes into lines. A line beyond the limit is skipped, and its start is kept for error messages. */

export interface LineListener {
  readonly onLine: (line: string) => void;
  /** Called with the first bytes of a line that was too long. */
  readonly onGiant: (head: string, bytes: number) => void;
}

const NEWLINE = 0x0a;
/** Enough for the type and the id of a frame. */
const HEAD = 1024;

export class Lines {
  #parts: Buffer[] = [];
  #bytes = 0;
  readonly #maxBytes: number;
  readonly #listener: LineListener;

  constructor(maxBytes: number, listener: LineListener) {
    this.#maxBytes = maxBytes;
    this.#listener = listener;
  }

  /** A chunk may split a character, so only complete lines are decoded. */
  push(chunk: Buffer | string): void {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    let from = 0;
    for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, from)) {
      if (this.#bytes === 0 && at - from <= this.#maxBytes) this.#say(bytes.toString('utf8', from, at));
      else {
        this.#keep(bytes.subarray(from, at));
        this.#end();
      }
      from = at + 1;
    }
    if (from < bytes.length) this.#keep(bytes.subarray(from));
  }

  /** The text after the last newline: an incomplete frame. */
  get rest(): string {
    return Buffer.concat(this.#parts).toString();
  }

  #keep(part: Buffer): void {
    if (part.length === 0) return;
    const wasGiant = this.#bytes > this.#maxBytes;
    this.#bytes += part.length;
    if (wasGiant) return;
    this.#parts.push(part);
    if (this.#bytes > this.#maxBytes) this.#parts = [Buffer.concat(this.#parts).subarray(0, HEAD)];
  }

  #end(): void {
    const [text, bytes] = [this.rest, this.#bytes];
    this.#parts = [];
    this.#bytes = 0;
    if (bytes > this.#maxBytes) this.#listener.onGiant(text, bytes);
    else this.#say(text);
  }

  #say(text: string): void {
    if (text.trim() !== '') this.#listener.onLine(text);
  }
}
