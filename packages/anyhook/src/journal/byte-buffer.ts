/** What the chain writes before a record is never longer. */
export const ROOM = 512;

/**
 * Bytes of one line in the making: a record, and room before it, where the chain writes its link. The buffer grows and
 * stays: what was made is valid until the next line begins.
 */
export class ByteBuffer {
  bytes: Buffer;
  at = ROOM;

  constructor(bytes: Buffer = Buffer.allocUnsafe(16 * 1024)) {
    this.bytes = bytes;
  }

  /** A JSON object that somebody else has written, as if it had been written here. */
  static of(json: Uint8Array): ByteBuffer {
    const made = new ByteBuffer(Buffer.allocUnsafe(ROOM + json.length));
    made.many(json);
    return made;
  }

  /** Valid until the chain has put its braces around it. */
  get written(): Buffer {
    return this.bytes.subarray(ROOM, this.at);
  }

  /** What stays when another line is made in here. Whether the chain has been around it makes no difference. */
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

  /** ASCII only, and short: a loop is cheaper than a call out of JavaScript. */
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

  /** A few bytes, by hand for the same reason. */
  few(more: Uint8Array, from = 0): void {
    const { length } = more;
    if (this.at + length > this.bytes.length) this.room(length);
    const { bytes } = this;
    let at = this.at;
    for (let i = from; i < length; i++) bytes[at++] = more[i]!;
    this.at = at;
  }

  /** As JSON writes it. Times have three places at most: what is left of the general way is a division or ten. */
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

/** What is invisible, or moves the cursor, or turns the line around, is spelled out. */
const INVISIBLE = /[\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;
const spelledOut = (c: string): string => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`;
export const inQuotes = (text: string): string => JSON.stringify(text).replace(INVISIBLE, spelledOut);
