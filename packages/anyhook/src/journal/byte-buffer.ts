/** Maximum size of what the chain writes before a record. */
export const ROOM = 512;

/**
 * A reusable buffer for one line: a record, with space before it for the chain's link. The content is valid
 * until the next line starts.
 */
export class ByteBuffer {
  bytes: Buffer;
  at = ROOM;

  constructor(bytes: Buffer = Buffer.allocUnsafe(16 * 1024)) {
    this.bytes = bytes;
  }

  /** Wraps an existing JSON object. */
  static of(json: Uint8Array): ByteBuffer {
    const made = new ByteBuffer(Buffer.allocUnsafe(ROOM + json.length));
    made.many(json);
    return made;
  }

  /** Valid until the chain has replaced its braces. */
  get written(): Buffer {
    return this.bytes.subarray(ROOM, this.at);
  }

  /** Returns a copy that survives the next line. It can be taken before or after the chain was added. */
  copy(): ByteBuffer {
    return ByteBuffer.of(this.written);
  }

  room(more: number): void {
    const needed = this.at + more;
    if (needed <= this.bytes.length) return;
    const larger = Buffer.allocUnsafe(needed * 2);
    this.bytes.copy(larger, 0, 0, this.at);
    this.bytes = larger;
  }

  /** Appends short ASCII text. For so little text, a loop is faster than a native call. */
  ascii(text: string): void {
    const { length } = text;
    if (this.at + length > this.bytes.length) this.room(length);
    const { bytes } = this;
    let at = this.at;
    for (let i = 0; i < length; i++) bytes[at++] = text.charCodeAt(i);
    this.at = at;
  }

  utf8(text: string): void {
    this.room(text.length * 3);
    this.at += this.bytes.write(text, this.at, 'utf8');
  }

  /** Appends a few bytes, with a loop for the same reason. */
  few(more: Uint8Array, from = 0): void {
    const { length } = more;
    if (this.at + length > this.bytes.length) this.room(length);
    const { bytes } = this;
    let at = this.at;
    for (let i = from; i < length; i++) bytes[at++] = more[i]!;
    this.at = at;
  }

  /** Appends a number in JSON format. Times have at most three decimals, which needs only a few divisions. */
  number(value: number): void {
    const whole = Math.floor(value);
    if (!(value >= 0 && whole <= 0x7fff_ffff)) return this.ascii(`${value}`);
    const rest = Math.round((value - whole) * 1000);
    if ((whole * 1000 + rest) / 1000 !== value) return this.ascii(`${value}`);
    this.room(16);
    this.#digits(whole, whole < 10 ? 1 : countOfDigits(whole));
    if (rest === 0) return;
    this.bytes[this.at++] = POINT;
    if (rest % 100 === 0) this.#digits(rest / 100, 1);
    else if (rest % 10 === 0) this.#digits(rest / 10, 2);
    else this.#digits(rest, 3);
  }

  #digits(value: number, count: number): void {
    let rest = value | 0;
    for (let at = this.at + count - 1; at >= this.at; at--) {
      const next = (rest / 10) | 0;
      this.bytes[at] = ZERO + rest - next * 10;
      rest = next;
    }
    this.at += count;
  }

  many(bytes: Uint8Array): void {
    this.room(bytes.length);
    this.bytes.set(bytes, this.at);
    this.at += bytes.length;
  }
}

const ZERO = 48;
const POINT = 46;
function countOfDigits(value: number): number {
  let count = 1;
  for (let least = 10; least <= value; least *= 10) count++;
  return count;
}

/** Escapes characters that are invisible, move the cursor or change the text direction. */
const INVISIBLE = /[\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;
const spelledOut = (c: string): string => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`;
export const inQuotes = (text: string): string => JSON.stringify(text).replace(INVISIBLE, spelledOut);
