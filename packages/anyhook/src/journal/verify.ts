/**
 * Checks a session's file against its own chains and against the head that is stored elsewhere. Detects any
 * modified byte, and any line that was removed, inserted or moved within a writer's chain. With the head, it
 * also detects a truncated file, a missing file and lines of an unknown writer.
 * Limits: someone who can rewrite both file and head can forge the whole history, because the hashes have no
 * key. The true order of simultaneous writers is not recorded. One forged line after the last line of a
 * killed writer is not detected.
 */

import { existsSync } from 'node:fs';
import { begunIn, GENESIS, type ChainLink, lineHash, unseal } from './chain.ts';
import { describeValue } from './describe-value.ts';
import { readHead, type Slot } from './head.ts';
import { type Line, linesOf } from './lines.ts';
import { allSessionParts } from './session-parts.ts';

export interface JournalFinding {
  readonly kind:
    | 'changed' // a line differs from what was written
    | 'torn' // the last line is incomplete
    | 'broken-chain' // lines before this one are missing, moved or inserted
    | 'cut' // the head refers to records that are missing
    | 'past-head' // there are records that the head does not include
    | 'unknown-writer' // lines of a writer that is not in the head
    | 'no-head'
    | 'head-damaged'
    | 'gap' // the writer itself recorded that something is missing
    | 'missing';
  readonly line?: number;
  readonly message: string;
}

export interface Verification {
  readonly ok: boolean;
  readonly records: number;
  readonly problems: readonly JournalFinding[];
  /** Explained anomalies that are no sign of tampering. */
  readonly notes: readonly JournalFinding[];
}

interface Last {
  readonly seq: number;
  readonly hash: string;
}
interface Walk {
  records: number;
  /** Hash → number, and writer → its last record. */
  readonly seqs: Map<string, number>;
  readonly writers: Map<string, Last>;
  /** Writer → hashes of its records, newest last. Only the last two matter for the head. */
  readonly hashes: Map<string, string[]>;
  readonly problems: JournalFinding[];
  readonly notes: JournalFinding[];
}

export function verify(file: string, head: string): Verification {
  const walk = newWalk();
  for (const _ of walkLines(file, walk)) continue;
  return concluded(file, head, walk);
}

/** Does the same in a process with other work: pauses every few milliseconds. */
export async function verifyInSteps(file: string, head: string): Promise<Verification> {
  const walk = newWalk();
  let until = performance.now() + STEP_MS;
  for (const _ of walkLines(file, walk)) {
    if (performance.now() < until) continue;
    await new Promise((resolve) => setImmediate(resolve));
    until = performance.now() + STEP_MS;
  }
  return concluded(file, head, walk);
}

const STEP_MS = 12;

const newWalk = (): Walk => ({
  records: 0,
  seqs: new Map(),
  writers: new Map(),
  hashes: new Map(),
  problems: [],
  notes: [],
});

function concluded(file: string, head: string, walk: Walk): Verification {
  checkHead(file, head, walk);
  const { records, problems, notes } = walk;
  return { ok: problems.length === 0, records, problems, notes };
}

/** Reads all parts of the session as one file. Yields after every line. */
function* walkLines(file: string, walk: Walk): Generator<void> {
  for (const part of allSessionParts(file))
    try {
      yield* walkPart(part, walk);
    } catch (error) {
      walk.problems.push(finding('missing', `${part} cannot be read: ${describeValue(error)}`));
    }
}
function* walkPart(file: string, walk: Walk): Generator<void> {
  let unsound: { readonly line: Line; readonly why: string } | undefined;
  for (const line of linesOf(file)) {
    yield;
    const opened = unseal(line.bytes);
    if (opened.kind === 'unsound') {
      if (unsound !== undefined) walk.problems.push(changed(unsound.line, unsound.why));
      unsound = { line, why: opened.why };
      continue;
    }
    if (unsound !== undefined) {
      const torn = opened.link.gap?.torn;
      const { bytes, number } = unsound.line;
      const isKnown = torn?.bytes === bytes.length && torn.sha256 === lineHash(bytes);
      if (isKnown) walk.notes.push(finding('torn', 'was not finished; the next writer noted it', number));
      // Two writers found the same torn line, or one treated a line as torn while it was still being written.
      // Each adds a newline first.
      else if (torn !== undefined && bytes.length === 0)
        walk.notes.push(finding('torn', 'is empty: two writers ended the same unfinished line', number));
      else walk.problems.push(changed(unsound.line, unsound.why));
      unsound = undefined;
    }
    if (opened.from > 0) checkBegun(walk, line, opened.from);
    if (!line.isWhole) walk.problems.push(finding('torn', 'lacks its newline', line.number));
    follow(walk, opened.link, opened.hash, line.number);
  }
  if (unsound !== undefined) walk.problems.push(changed(unsound.line, unsound.why));
}

const changed = ({ number, isWhole }: Line, why: string): JournalFinding =>
  isWhole ? finding('changed', why, number) : finding('torn', `was not finished: it ${why}`, number);

/**
 * Checks unfinished lines before a record in the same line. They are harmless if they would have continued
 * the chain of a killed writer: they were never acknowledged. If they had been, the chain or the head would
 * show that they are missing.
 */
function checkBegun(walk: Walk, { bytes, number }: Line, end: number): void {
  const begun = begunIn(bytes.subarray(0, end));
  const hasFollowed = begun?.every(({ writer, prev }) => {
    const own = writer === undefined ? undefined : walk.writers.get(writer);
    return (
      prev === undefined || (own === undefined ? prev === GENESIS || walk.seqs.has(prev) : own.hash === prev)
    );
  });
  if (hasFollowed === true)
    walk.notes.push(finding('torn', 'starts with an unfinished record of a killed writer', number));
  else walk.problems.push(finding('changed', 'starts with bytes that no writer wrote', number));
}

/** A writer's record must follow its own previous one. Its first record must follow any earlier record. */
function follow(walk: Walk, link: ChainLink, hash: string, line: number): void {
  const own = walk.writers.get(link.writer);
  const wantedSeq =
    own === undefined ? walk.seqs.get(link.prev) : own.hash === link.prev ? own.seq : undefined;
  const isStart = own === undefined && link.prev === GENESIS;
  if (link.gap?.missing === true || (link.gap?.lost ?? 0) > 0)
    walk.problems.push(finding('gap', gapText(link), line));
  if (wantedSeq === undefined && !isStart)
    walk.problems.push(
      finding(
        'broken-chain',
        'does not follow the line before it: lines were removed, moved or inserted',
        line,
      ),
    );
  else if (link.seq !== (wantedSeq ?? 0) + 1 + (link.gap?.lost ?? 0))
    walk.problems.push(finding('broken-chain', `has the unexpected number ${link.seq}`, line));
  walk.records++;
  walk.seqs.set(hash, link.seq);
  walk.writers.set(link.writer, { seq: link.seq, hash });
  walk.hashes.set(link.writer, [...(walk.hashes.get(link.writer)?.slice(-1) ?? []), hash]);
}

const gapText = ({ gap }: ChainLink): string =>
  gap?.missing === true
    ? 'was written after the file had been removed or shortened'
    : `was written after ${gap?.lost} records that could not be written`;

function checkHead(file: string, head: string, walk: Walk): void {
  if (!existsSync(head)) {
    if (allSessionParts(file).length === 0)
      walk.problems.push(finding('missing', `${file} and ${head} do not exist`));
    else
      walk.problems.push(
        finding('no-head', `${head} does not exist: a truncated journal would not be detected`),
      );
    return;
  }
  let read: ReturnType<typeof readHead>;
  try {
    read = readHead(head);
  } catch (error) {
    walk.problems.push(finding('head-damaged', `${head} cannot be read: ${describeValue(error)}`));
    return;
  }
  const { slots, damaged } = read;
  if (damaged > 0) walk.problems.push(finding('head-damaged', `${head} has ${damaged} invalid entries`));
  const known = new Set(slots.map((slot) => slot.writer));
  for (const slot of slots) checkSlot(slot, walk);
  for (const [writer, { seq }] of walk.writers)
    if (!known.has(writer))
      walk.problems.push(
        finding('unknown-writer', `writer ${writer}, whose last record is ${seq}, is not in the head`),
      );
}

function checkSlot(slot: Slot, walk: Walk): void {
  const there = walk.writers.get(slot.writer);
  if (there?.hash === slot.hash || (there === undefined && slot.seq === 0)) return;
  if (slot.seq > (there?.seq ?? 0) || !(slot.seq === 0 || walk.seqs.has(slot.hash))) {
    const until = there === undefined ? 'none of these records is here' : `the last one here is ${there.seq}`;
    walk.problems.push(finding('cut', `writer ${slot.writer} wrote records up to ${slot.seq}; ${until}`));
    return;
  }
  const beforeLast = walk.hashes.get(slot.writer)?.at(-2) ?? GENESIS;
  const isOne = slot.state === 'open' && beforeLast === slot.hash;
  const message = `writer ${slot.writer} has records after ${slot.seq}, the last one in the head`;
  if (isOne)
    walk.notes.push(finding('past-head', `${message}: only one, as after a kill between journal and head`));
  else walk.problems.push(finding('past-head', message));
}

const finding = (kind: JournalFinding['kind'], message: string, line?: number): JournalFinding =>
  line === undefined ? { kind, message } : { kind, line, message: `line ${line} ${message}` };
