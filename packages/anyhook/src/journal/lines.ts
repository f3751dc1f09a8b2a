/**
 * Reads the lines of a file in blocks, forwards or backwards. The file is open only while a block is read.
 */

import { closeSync, fstatSync, readSync } from 'node:fs';
import { openRegular } from './open-regular.ts';

export interface Line {
  /** Starts at 1. */
  readonly number: number;
  /** Without the newline. */
  readonly bytes: Buffer;
  /** `false`: the file ends here without a newline. */
  readonly isWhole: boolean;
}

const BLOCK = 256 * 1024;
const NEWLINE = 0x0a;

export function* linesOf(file: string): Generator<Line> {
  let rest: Buffer = Buffer.alloc(0);
  let number = 0;
  for (const block of blocksOf(file)) {
    const bytes = rest.length === 0 ? block : Buffer.concat([rest, block]);
    let from = 0;
    for (let to = bytes.indexOf(NEWLINE); to !== -1; to = bytes.indexOf(NEWLINE, from)) {
      yield { number: ++number, bytes: bytes.subarray(from, to), isWhole: true };
      from = to + 1;
    }
    rest = bytes.subarray(from);
  }
  if (rest.length > 0) yield { number: ++number, bytes: rest, isWhole: false };
}

export function* linesBackwards(file: string): Generator<Line> {
  const size = sizeOf(file);
  let number = newlinesIn(file, size);
  let isWhole = false; // the text after the last newline is incomplete
  let bytes: Buffer = Buffer.alloc(0);
  for (let from = size; from > 0;) {
    const length = Math.min(from, Math.max(BLOCK, bytes.length)); // doubles, so that a huge line is copied only a few times
    from -= length;
    bytes = Buffer.concat([blockAt(file, from, length), bytes]);
    for (let cut = bytes.lastIndexOf(NEWLINE); cut !== -1; cut = bytes.lastIndexOf(NEWLINE)) {
      const line = bytes.subarray(cut + 1);
      bytes = bytes.subarray(0, cut);
      if (isWhole || line.length > 0) yield { number: number + 1, bytes: line, isWhole };
      isWhole = true;
      number--;
    }
  }
  if (size > 0) yield { number: 1, bytes, isWhole };
}

function sizeOf(file: string): number {
  const fd = openRegular(file);
  try {
    return fstatSync(fd).size;
  } finally {
    closeSync(fd);
  }
}

function newlinesIn(file: string, size: number): number {
  let count = 0;
  for (const block of blocksOf(file, size))
    for (let at = block.indexOf(NEWLINE); at !== -1; at = block.indexOf(NEWLINE, at + 1)) count++;
  return count;
}

function* blocksOf(file: string, end = Infinity): Generator<Buffer> {
  for (let at = 0; at < end;) {
    const block = blockAt(file, at, Math.min(BLOCK, end - at));
    if (block.length === 0) return;
    at += block.length;
    yield block;
  }
}

function blockAt(file: string, at: number, length: number): Buffer {
  const fd = openRegular(file);
  try {
    const block = Buffer.allocUnsafe(length);
    return block.subarray(0, readSync(fd, block, 0, length, at));
  } finally {
    closeSync(fd);
  }
}
