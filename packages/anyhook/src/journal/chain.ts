/**
 * Hash chain of a journal file. Each line contains the hash of the previous line of its writer and ends with
 * its own hash. The hash covers the bytes of the line up to `,"hash"`: `head -c -76` of a line (with its
 * newline) yields exactly the hashed bytes.
 * Several processes may write one file. Each writer has its own chain, identified by `writer`, which starts
 * at the last line that it found when it opened the file. The chain proves the order of one writer's records,
 * and that a writer started after the record that it continues. The order between simultaneous writers
 * depends only on their clocks.
 */

import { Buffer } from 'node:buffer';
import crypto from 'node:crypto';
import { type ByteBuffer, ROOM } from './byte-buffer.ts';
import type { RecordGap } from './record.ts';

export const GENESIS = '0'.repeat(64);

export interface ChainLink {
  readonly seq: number;
  readonly writer: string;
  readonly prev: string;
  readonly gap?: RecordGap;
}

/**
 * The space after the brace occurs in no record outside of strings. It therefore marks the start of a record,
 * even in the middle of a line that a killed writer left unfinished. Data in a record cannot imitate it.
 */
const OPENING = '{ "v":';
const TAIL = ',"hash":"';
const TAIL_BYTES = TAIL.length + 64 + 2;

/** `crypto.hash` avoids creating an object; Bun has it only since 1.2. */
export const lineHash: (bytes: Uint8Array) => string =
  typeof crypto.hash === 'function'
    ? (bytes) => crypto.hash('sha256', bytes, 'hex')
    : (bytes) => crypto.createHash('sha256').update(bytes).digest('hex');

export interface SealedLine {
  /** Offset of the line in the buffer. The line ends with its newline. */
  readonly from: number;
  readonly length: number;
  readonly hash: string;
}

/**
 * Writes the link and the hash around the record in this buffer, in place of its braces. Can be repeated with
 * another link if the line could not be written.
 */
export function seal(record: ByteBuffer, link: ChainLink, before: '' | '\n' = ''): SealedLine {
  const gap = link.gap === undefined ? '' : `"gap":${JSON.stringify(link.gap)},`;
  const opening = `${before}${OPENING}1,"seq":${link.seq},"writer":"${link.writer}","prev":"${link.prev}",${gap}`;
  record.room(TAIL_BYTES);
  const { bytes } = record;
  const from = ROOM + 1 - opening.length;
  const end = record.at - 1;
  bytes.write(opening, from, 'latin1');
  const hash = lineHash(bytes.subarray(from + before.length, end));
  bytes.write(`${TAIL}${hash}"}\n`, end, 'latin1');
  return { from, length: end + TAIL_BYTES + 1 - from, hash };
}

export type OpenedLine =
  | {
      readonly kind: 'sound';
      readonly value: Record<string, unknown>;
      readonly link: ChainLink;
      readonly hash: string;
      /** Offset of the record in the line. Before it is what a killed writer left unfinished. */
      readonly from: number;
    }
  | { readonly kind: 'unsound'; readonly why: string };

/** Parses and checks a line of the file, without its newline. */
export function unseal(line: Uint8Array): OpenedLine {
  const bytes = Buffer.from(line.buffer, line.byteOffset, line.byteLength);
  const opened = unsealRecord(bytes);
  const from = opened.kind === 'sound' ? 0 : bytes.lastIndexOf(OPENING);
  if (from <= 0) return opened;
  const behind = unsealRecord(bytes.subarray(from));
  return behind.kind === 'sound' ? { ...behind, from } : opened;
}

function unsealRecord(bytes: Buffer): OpenedLine {
  const at = bytes.length - TAIL_BYTES;
  if (at < 2) return unsound('too short to be a record');
  const tail = bytes.toString('latin1', at);
  if (!tail.startsWith(TAIL) || !tail.endsWith('"}')) return unsound('does not end like a record');
  const hash = tail.slice(TAIL.length, -2);
  if (lineHash(bytes.subarray(0, at)) !== hash) return unsound('was modified after it was written');
  try {
    const value = JSON.parse(bytes.toString('utf8')) as Record<string, unknown>;
    const link = linkOf(value);
    return link === undefined
      ? unsound('has no link to the chain')
      : { kind: 'sound', value, link, hash, from: 0 };
  } catch {
    return unsound('is not JSON');
  }
}

function linkOf({ seq, writer, prev, gap }: Record<string, unknown>): ChainLink | undefined {
  if (!Number.isSafeInteger(seq) || typeof writer !== 'string' || typeof prev !== 'string') return undefined;
  const link = { seq: seq as number, writer, prev };
  return typeof gap === 'object' && gap !== null ? { ...link, gap: gap as RecordGap } : link;
}

const BEGUN = /^\{ "v":1,"seq":\d+,"writer":"([0-9a-f]{16})","prev":"([0-9a-f]{64})"/;
/** A torn line shorter than this may lack its writer's id. */
const LINK_BYTES = 150;

/** Returns the unfinished lines in these bytes, in order, or undefined if there is anything else. */
export function begunIn(bytes: Buffer): readonly Partial<Pick<ChainLink, 'writer' | 'prev'>>[] | undefined {
  const begun: Partial<Pick<ChainLink, 'writer' | 'prev'>>[] = [];
  for (let from = 0; from < bytes.length;) {
    const next = bytes.indexOf(OPENING, from + 1);
    const to = next === -1 ? bytes.length : next;
    const text = bytes.toString('latin1', from, Math.min(to, from + LINK_BYTES));
    const [, writer, prev] = BEGUN.exec(text) ?? [];
    if (writer !== undefined && prev !== undefined) begun.push({ writer, prev });
    else if (to - from < LINK_BYTES && (OPENING.startsWith(text) || text.startsWith(OPENING))) begun.push({});
    else return undefined;
    from = to;
  }
  return begun;
}

const unsound = (why: string): OpenedLine => ({ kind: 'unsound', why });
