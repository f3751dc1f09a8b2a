/**
 * Appends records to one session's file as one writer, and keeps its hash chain. Throws if a record cannot be
 * written.
 */

import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  mkdirSync,
  openSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import type { ByteBuffer } from './byte-buffer.ts';
import { GENESIS, seal } from './chain.ts';
import { JournalHead } from './head.ts';
import { NO_FOLLOW, openRegular } from './open-regular.ts';
import type { RecordGap } from './record.ts';
import { nextPartOf, obstacleIn, sessionParts } from './session-parts.ts';
import { type Tail, tailOf } from './tail.ts';

export interface Paths {
  readonly file: string;
  readonly head: string;
  /** The caller chose the file, so it may be a link or a device. */
  readonly named: boolean;
  /** Starts the next part after this many bytes. */
  readonly partBytes: number;
}

const FLAGS = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | (constants.O_NONBLOCK ?? 0);

/**
 * How long a removed or truncated file may go unnoticed. Checking costs as much as writing, so it is not done
 * every time.
 */
const LOOK_EVERY_MS = 50;
const NO_GAP: RecordGap = {};

export class Appender {
  readonly writer = randomBytes(8).toString('hex');
  readonly #paths: Paths;
  readonly #onHeadTrouble: (error: unknown) => void;
  /** The current part. */
  #file: string;
  #fd: number | undefined;
  #head: JournalHead | undefined;
  #seq = 0;
  #prev: string | undefined;
  #size = 0;
  #isDevice = false;
  #lookAgainMs = 0;
  /** Facts about earlier lines that the next line must record. */
  #gap: RecordGap = NO_GAP;
  #needsNewline = false;

  constructor(paths: Paths, onHeadTrouble: (error: unknown) => void) {
    this.#paths = paths;
    this.#file = paths.file;
    this.#onHeadTrouble = onHeadTrouble;
  }

  /** Returns after write(2). Throws if the line was not written completely. */
  append(record: ByteBuffer, lost: number): number {
    try {
      const fd = this.#opened();
      const gap = lost > 0 ? { ...this.#gap, lost } : this.#gap;
      const seq = this.#seq + 1 + lost;
      const link = { seq, writer: this.writer, prev: this.#prev ?? GENESIS };
      const { from, length, hash } = seal(
        record,
        gap === NO_GAP ? link : { ...link, gap },
        this.#needsNewline ? '\n' : '',
      );
      const written = writeSync(fd, record.bytes, from, length);
      if (written !== length) throw new Error(`only ${written} of ${length} bytes were written`);
      this.#size += written;
      this.#seq = seq;
      this.#prev = hash;
      this.#gap = NO_GAP;
      this.#needsNewline = false;
      this.#keepHead(seq, hash);
      return seq;
    } catch (error) {
      this.#letGo(); // the next attempt reopens the file and reads what it really contains
      throw error;
    }
  }

  close(): void {
    if (this.#prev !== undefined && this.#head !== undefined)
      try {
        this.#head.put(this.#seq, this.#prev, 'c');
      } catch (error) {
        this.#onHeadTrouble(error);
      }
    this.#letGo();
  }

  #opened(): number {
    if (this.#fd !== undefined) {
      if (this.#isDevice || performance.now() < this.#lookAgainMs) return this.#fd;
      const { ino, size } = fstatSync(this.#fd);
      this.#lookAgainMs = performance.now() + LOOK_EVERY_MS;
      // If the file was removed, moved or replaced, further records would never be found.
      const isThere = statSync(this.#file, { throwIfNoEntry: false })?.ino === ino && size >= this.#size;
      if (isThere && size < this.#paths.partBytes) return this.#fd;
      if (!isThere) this.#gap = { ...this.#gap, missing: true };
      this.#letGo();
    }
    const fd = this.#openPart();
    this.#fd = fd;
    this.#lookAt(fd);
    this.#openHead();
    return fd;
  }

  #openPart(): number {
    const { file, named, partBytes } = this.#paths;
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    if (named) return openSync(file, FLAGS, 0o600);
    const obstacle = obstacleIn(dirname(file));
    if (obstacle !== undefined) throw new Error(obstacle);
    this.#file = sessionParts(file).at(-1) ?? file;
    if ((statSync(this.#file, { throwIfNoEntry: false })?.size ?? 0) >= partBytes)
      this.#file = nextPartOf(this.#file);
    return openSync(this.#file, FLAGS | NO_FOLLOW, 0o600);
  }

  /** Returns the last record of the previous part, for a writer that starts a new part. */
  #lastBefore(): Tail['last'] {
    const parts = sessionParts(this.#paths.file);
    const before = parts[parts.indexOf(this.#file) - 1];
    if (before === undefined) return undefined;
    const fd = openRegular(before, constants.O_RDONLY | NO_FOLLOW);
    try {
      return tailOf(fd).last;
    } finally {
      closeSync(fd);
    }
  }

  #lookAt(fd: number): void {
    const stats = fstatSync(fd);
    this.#isDevice = !stats.isFile();
    if (this.#isDevice) {
      if (!this.#paths.named) throw new Error(`${this.#file} is not a regular file`);
      return;
    }
    if (process.platform !== 'win32' && (stats.mode & 0o077) !== 0) fchmodSync(fd, 0o600);
    const tail = tailOf(fd);
    this.#size = fstatSync(fd).size;
    this.#needsNewline = tail.open;
    if (tail.torn !== undefined) this.#gap = { ...this.#gap, torn: tail.torn };
    if (this.#prev !== undefined) return; // our own state takes precedence over the file's content
    const last = tail.last ?? this.#lastBefore();
    if (last !== undefined) [this.#seq, this.#prev] = [last.seq, last.hash];
  }

  /** Reports a head that cannot be written. The record itself is safe. */
  #openHead(): void {
    try {
      this.#head = new JournalHead(this.#paths.head, this.writer);
    } catch (error) {
      this.#onHeadTrouble(error);
    }
  }

  #keepHead(seq: number, hash: string): void {
    try {
      this.#head?.put(seq, hash);
    } catch (error) {
      this.#onHeadTrouble(error);
    }
  }

  #letGo(): void {
    const fd = this.#fd;
    this.#fd = undefined;
    for (const close of [() => fd !== undefined && closeSync(fd), () => this.#head?.close()])
      try {
        close();
      } catch {
        // a failed write was already reported
      }
    this.#head = undefined;
  }
}
