/** Bytes of one line in the making. The buffer grows and stays: what was made is valid until the next line begins. */
export class ByteBuffer {
  bytes: Buffer = Buffer.allocUnsafe(16 * 1024);
  at = 0;

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
  few(more: Uint8Array): void {
    const { length } = more;
    if (this.at + length > this.bytes.length) this.room(length);
    const { bytes } = this;
    let at = this.at;
    for (let i = 0; i < length; i++) bytes[at++] = more[i]!;
    this.at = at;
  }

  many(bytes: Uint8Array): void {
    this.room(bytes.length);
    this.bytes.set(bytes, this.at);
    this.at += bytes.length;
  }
}

/** What is invisible, or moves the cursor, or turns the line around, is spelled out. */
const INVISIBLE = /[\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;
const spelledOut = (c: string): string => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`;
export const inQuotes = (text: string): string => JSON.stringify(text).replace(INVISIBLE, spelledOut);
