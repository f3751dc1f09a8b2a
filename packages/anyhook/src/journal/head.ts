/**
 * Stores the last link of every writer of a session, separate from the journal (next to the trust store), so
 * that a truncated journal is detected. One file per session, one fixed-width line per writer, rewritten in
 * place.
 */

import { closeSync, constants, mkdirSync, readFileSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { GENESIS } from './chain.ts';
import { NO_FOLLOW, openRegular } from './open-regular.ts';

export interface Slot {
  readonly writer: string;
  /**
   * `closed`: no line may follow. In state `open`, the process may have been killed between writing line and
   * head.
   */
  readonly state: 'open' | 'closed';
  readonly seq: number;
  readonly hash: string;
}

const SLOT = /^([0-9a-f]{16}) ([oc]) (\d{16}) ([0-9a-f]{64})\n/;
const WIDTH = 101;
const STATE = 17;
const HASH = 36;
const ZERO = 48;

export class JournalHead {
  readonly #fd: number;
  readonly #at: number;
  readonly #bytes: Buffer;

  constructor(file: string, writer: string) {
    this.#bytes = Buffer.from(slotText(writer, 'o', 0, GENESIS), 'latin1');
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    this.#at = placeOf(file, writer);
    this.#fd = openRegular(file, constants.O_RDWR | NO_FOLLOW);
  }

  put(seq: number, hash: string, state: 'o' | 'c' = 'o'): void {
    const bytes = this.#bytes;
    bytes[STATE] = state.charCodeAt(0);
    for (let at = HASH - 2, rest = seq; at > STATE + 1; at--, rest = Math.floor(rest / 10))
      bytes[at] = ZERO + (rest % 10);
    for (let at = 0; at < hash.length; at++) bytes[HASH + at] = hash.charCodeAt(at); // a loop, as in `ByteBuffer`
    writeSync(this.#fd, bytes, 0, WIDTH, this.#at);
  }

  close(): void {
    closeSync(this.#fd);
  }
}

/**
 * The kernel writes page by page and may kill the process in between, so a link across two pages could be
 * half written.
 */
const PAGE = 4096;
const isWithinPage = (at: number): boolean => Math.floor(at / PAGE) === Math.floor((at + WIDTH - 1) / PAGE);
/** Writer id of an unused slot that crosses a page boundary. */
const NOBODY = '0'.repeat(16);

/** Reserves a slot with a single append, so that writers that start together do not share one. */
function placeOf(file: string, writer: string): number {
  const fd = openRegular(file, constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | NO_FOLLOW);
  try {
    const known = bytesOf(file).indexOf(writer);
    if (known !== -1) return known;
    for (;;) {
      writeSync(fd, slotText(writer, 'o', 0, GENESIS), null, 'latin1');
      const at = bytesOf(file).lastIndexOf(writer);
      if (at === -1) throw new Error(`${file} was truncated while a slot was added to it`);
      if (isWithinPage(at)) return at;
      leaveToNobody(file, at);
    }
  } finally {
    closeSync(fd);
  }
}
function leaveToNobody(file: string, at: number): void {
  const fd = openRegular(file, constants.O_RDWR | NO_FOLLOW); // an append descriptor would write at the end
  try {
    writeSync(fd, slotText(NOBODY, 'c', 0, GENESIS), at, 'latin1');
  } finally {
    closeSync(fd);
  }
}

function bytesOf(file: string): Buffer {
  const fd = openRegular(file, constants.O_RDONLY | NO_FOLLOW);
  try {
    return readFileSync(fd);
  } finally {
    closeSync(fd);
  }
}

const slotText = (writer: string, state: 'o' | 'c', seq: number, hash: string): string =>
  `${writer} ${state} ${String(seq).padStart(16, '0')} ${hash}\n`;

/** `damaged`: the number of slots with an invalid format. */
export function readHead(file: string): { readonly slots: readonly Slot[]; readonly damaged: number } {
  const text = bytesOf(file).toString('latin1');
  const slots: Slot[] = [];
  let damaged = text.length % WIDTH === 0 ? 0 : 1;
  for (let at = 0; at + WIDTH <= text.length; at += WIDTH) {
    const match = SLOT.exec(text.slice(at, at + WIDTH));
    if (match === null) damaged++;
    else
      slots.push({
        writer: match[1]!,
        state: match[2] === 'c' ? 'closed' : 'open',
        seq: Number(match[3]),
        hash: match[4]!,
      });
  }
  return { slots, damaged };
}
