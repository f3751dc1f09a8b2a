/** Reads the end of an existing file: the last record, and whether the last line is complete. */

import { fstatSync, readSync } from 'node:fs';
import { lineHash, unseal } from './chain.ts';

export interface Tail {
  /** The last intact record. */
  readonly last?: { readonly seq: number; readonly hash: string };
  /** The file does not end with a newline. */
  readonly open: boolean;
  /** Bytes after the last newline that are not a record. */
  readonly torn?: { readonly bytes: number; readonly sha256: string };
}

const BLOCK = 64 * 1024;
const NEWLINE = 0x0a;
const TRIES = 5;

/**
 * Another process may be in the middle of a write, so a line that looks torn is read again before it counts
 * as torn.
 */
export function tailOf(fd: number): Tail {
  for (let tried = 1; ; tried++) {
    const { size } = fstatSync(fd);
    const tail = tailAt(fd, size);
    if (!tail.open || (tried >= TRIES && fstatSync(fd).size === size)) return tail;
    if (tried >= 20 * TRIES) return tail;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2);
  }
}

function tailAt(fd: number, size: number): Tail {
  let block: Buffer = Buffer.alloc(0);
  let from = size;
  for (;;) {
    const found = inBlock(block, from === 0);
    if (found !== undefined) return found;
    const length = Math.min(from, Math.max(BLOCK, block.length));
    const more = Buffer.alloc(length);
    from -= length;
    const got = readSync(fd, more, 0, length, from);
    block = Buffer.concat([more.subarray(0, got), block]);
  }
}

/** Returns undefined if the text read so far has no intact record and there is more to read. */
function inBlock(block: Buffer, isWhole: boolean): Tail | undefined {
  const end = block.lastIndexOf(NEWLINE);
  if (end === -1 && !isWhole) return undefined;
  const rest = block.subarray(end + 1);
  const open = rest.length > 0;
  const unfinished = open ? unseal(rest) : undefined;
  if (unfinished?.kind === 'sound')
    return { last: { seq: unfinished.link.seq, hash: unfinished.hash }, open };
  const torn = open ? { torn: { bytes: rest.length, sha256: lineHash(rest) } } : {};
  let to = end;
  while (to > 0) {
    const before = block.lastIndexOf(NEWLINE, to - 1);
    if (before === -1 && !isWhole) return undefined;
    const opened = unseal(block.subarray(before + 1, to));
    if (opened.kind === 'sound') return { last: { seq: opened.link.seq, hash: opened.hash }, open, ...torn };
    to = before;
  }
  return isWhole ? { open, ...torn } : undefined;
}
