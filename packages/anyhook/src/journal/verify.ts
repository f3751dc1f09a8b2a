/**
 * Checks a session's file against itself and against the heads kept elsewhere. Shows: any changed byte, a line taken
 * out, put in or moved within a writer's chain, and, against the head, a cut tail, a missing file, lines added by a
 * writer nobody knows.
 *
 * It does not show what someone did who can rewrite both the file and the head: the hashes have no key, so such a
 * person can make a whole new history. Nor does it show the true order of writers that wrote at the same time, nor
 * one false line after the last true one of a writer that was killed.
 */
import { existsSync } from 'node:fs';
import { begunIn, GENESIS, type ChainLink, lineHash, unseal } from './chain.ts';
import { describeValue } from './describe-value.ts';
import { readHead, type Slot } from './head.ts';
import { type Line, linesOf } from './lines.ts';
import { allSessionParts } from './session-parts.ts';

export interface JournalFinding {
  readonly kind:
    | 'changed' // a line is not what was written
    | 'torn' // the last line was not finished
    | 'broken-chain' // lines are missing, moved or put in before this one
    | 'cut' // the head knows of records that are not here
    | 'past-head' // there are records the head does not know of
    | 'unknown-writer' // lines of a writer the head does not know of
    | 'no-head'
    | 'head-damaged'
    | 'gap' // the writer itself says that something is missing
    | 'missing';
  readonly line?: number;
  readonly message: string;
}

export interface Verification {
  readonly ok: boolean;
  readonly records: number;
  readonly problems: readonly JournalFinding[];
  /** Accounted for: worth knowing, no sign of a change. */
  readonly notes: readonly JournalFinding[];
}

interface Last {
  readonly seq: number;
  readonly hash: string;
}
interface Walk {
  records: number;
  /** Hash → number, and writer → its last. */
  readonly seqs: Map<string, number>;
  readonly writers: Map<string, Last>;
  /** Writer → its records' hashes, newest last: only the newest two can matter to the head. */
  readonly hashes: Map<string, string[]>;
  readonly problems: JournalFinding[];
  readonly notes: JournalFinding[];
}

export function verify(file: string, head: string): Verification {
  const walk = newWalk();
  for (const _ of walkLines(file, walk)) continue;
  return concluded(file, head, walk);
}

/** The same for a process that has others to answer meanwhile: it pauses every few lines. */
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

/** All parts of the session, as one. Yields after every line. */
function* walkLines(file: string, walk: Walk): Generator<void> {
  for (const part of allSessionParts(file))
    try {
      yield* walkPart(part, walk);
    } catch (error) {
      walk.problems.push(finding('missing', `what is in ${part} cannot be read: ${describeValue(error)}`));
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
      // Two found the same torn line, or one took for torn what was still being written: each ends it first.
      else if (torn !== undefined && bytes.length === 0)
        walk.notes.push(
          finding('torn', 'is empty: the next writer ended one that another had ended', number),
        );
      else walk.problems.push(changed(unsound.line, unsound.why));
      unsound = undefined;
    }
    if (opened.from > 0) checkBegun(walk, line, opened.from);
    if (!line.isWhole) walk.problems.push(finding('torn', 'has lost its newline', line.number));
    follow(walk, opened.link, opened.hash, line.number);
  }
  if (unsound !== undefined) walk.problems.push(changed(unsound.line, unsound.why));
}

const changed = ({ number, isWhole }: Line, why: string): JournalFinding =>
  isWhole ? finding('changed', why, number) : finding('torn', `was not finished: it ${why}`, number);

/**
 * What stands before a record in its line was begun by writers that were killed, if it would have followed: then it was never
 * acknowledged. Had it been, it would be missing now in its writer's chain, or to the head.
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
    walk.notes.push(finding('torn', 'begins with what a writer that was killed did not finish', number));
  else walk.problems.push(finding('changed', 'begins with what nobody has written there', number));
}

/** A writer's record follows its own last one; its first follows any record that stands before it. */
function follow(walk: Walk, link: ChainLink, hash: string, line: number): void {
  const own = walk.writers.get(link.writer);
  const wantedSeq =
    own === undefined ? walk.seqs.get(link.prev) : own.hash === link.prev ? own.seq : undefined;
  const isStart = own === undefined && link.prev === GENESIS;
  if (link.gap?.missing === true || (link.gap?.lost ?? 0) > 0)
    walk.problems.push(finding('gap', said(link), line));
  if (wantedSeq === undefined && !isStart)
    walk.problems.push(
      finding(
        'broken-chain',
        'does not follow what stands before it: lines were taken out, moved or put in',
        line,
      ),
    );
  else if (link.seq !== (wantedSeq ?? 0) + 1 + (link.gap?.lost ?? 0))
    walk.problems.push(finding('broken-chain', `has the number ${link.seq}, which does not follow`, line));
  walk.records++;
  walk.seqs.set(hash, link.seq);
  walk.writers.set(link.writer, { seq: link.seq, hash });
  walk.hashes.set(link.writer, [...(walk.hashes.get(link.writer)?.slice(-1) ?? []), hash]);
}

const said = ({ gap }: ChainLink): string =>
  gap?.missing === true
    ? 'was written after the file had been removed or shortened'
    : `was written after ${gap?.lost} records that could not be written`;

function checkHead(file: string, head: string, walk: Walk): void {
  if (!existsSync(head)) {
    if (allSessionParts(file).length === 0)
      walk.problems.push(finding('missing', `there is neither ${file} nor ${head}`));
    else walk.problems.push(finding('no-head', `${head} is not there: a cut tail would not show`));
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
  if (damaged > 0)
    walk.problems.push(finding('head-damaged', `${head} has ${damaged} places that are not ours`));
  const known = new Set(slots.map((slot) => slot.writer));
  for (const slot of slots) checkSlot(slot, walk);
  for (const [writer, { seq }] of walk.writers)
    if (!known.has(writer))
      walk.problems.push(
        finding('unknown-writer', `the head knows no writer ${writer}, whose last record is ${seq}`),
      );
}

function checkSlot(slot: Slot, walk: Walk): void {
  const there = walk.writers.get(slot.writer);
  if (there?.hash === slot.hash || (there === undefined && slot.seq === 0)) return;
  if (slot.seq > (there?.seq ?? 0) || !(slot.seq === 0 || walk.seqs.has(slot.hash))) {
    const until = there === undefined ? 'none of them is here' : `the last one here is ${there.seq}`;
    walk.problems.push(finding('cut', `writer ${slot.writer} has written up to ${slot.seq}; ${until}`));
    return;
  }
  const beforeLast = walk.hashes.get(slot.writer)?.at(-2) ?? GENESIS;
  const isOne = slot.state === 'open' && beforeLast === slot.hash;
  const message = `writer ${slot.writer} has records after ${slot.seq}, the last its head knows of`;
  if (isOne) walk.notes.push(finding('past-head', `${message}: one, as when it is killed between the two`));
  else walk.problems.push(finding('past-head', message));
}

const finding = (kind: JournalFinding['kind'], message: string, line?: number): JournalFinding =>
  line === undefined ? { kind, message } : { kind, line, message: `line ${line} ${message}` };
