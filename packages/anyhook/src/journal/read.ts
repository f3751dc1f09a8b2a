/** Reads journals for `why`, `log` and `replay`. Skips damage and reports its line. */

import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describeValue } from './describe-value.ts';
import type { ReadRecord } from './guard.ts';
import { type Line, linesBackwards, linesOf } from './lines.ts';
import { readLine } from './read-line.ts';
import { firstPartOf, sessionParts } from './session-parts.ts';

export type JournalEntry =
  | { readonly kind: 'record'; readonly file: string; readonly line: number; readonly record: ReadRecord }
  | { readonly kind: 'damage'; readonly file: string; readonly line: number; readonly why: string };

export const WANTED_VERDICTS = [
  'allow',
  'ask',
  'defer',
  'deny',
  'none',
  'would-ask',
  'would-defer',
  'would-deny',
] as const;
export type WantedVerdict = (typeof WANTED_VERDICTS)[number];
export const isWantedVerdict = (word: string): word is WantedVerdict =>
  (WANTED_VERDICTS as readonly string[]).includes(word);

export interface JournalQuery {
  readonly order?: 'oldest-first' | 'newest-first';
  /** Id of a hook that ran or was skipped. */
  readonly hook?: string;
  /** `would-deny`: refused by a hook in shadow, so not enforced. */
  readonly verdict?: WantedVerdict;
  readonly event?: string;
  readonly session?: string;
  /** One tool call, by the agent's id. */
  readonly call?: string;
}

/** Reads one session's file with its later parts. A missing file has no entries. */
export function* readFile(file: string, wanted: JournalQuery = {}): Generator<JournalEntry> {
  const isNewestFirst = wanted.order === 'newest-first';
  const parts = sessionParts(file);
  for (const part of isNewestFirst ? parts.toReversed() : parts)
    try {
      for (const line of isNewestFirst ? linesBackwards(part) : linesOf(part)) {
        const entries = entriesOf(part, line);
        for (const entry of isNewestFirst ? entries.toReversed() : entries)
          if (entry.kind === 'damage' || matchesQuery(entry.record, wanted)) yield entry;
      }
    } catch (error) {
      yield { kind: 'damage', file: part, line: 0, why: `cannot be read: ${describeValue(error)}` };
    }
}

/** Reads all sessions of a folder, merged by time. */
export function* readFolder(folder: string, wanted: JournalQuery = {}): Generator<JournalEntry> {
  const isNewestFirst = wanted.order === 'newest-first';
  const waiting = filesOf(folder);
  const open: Source[] = [];
  for (;;) {
    // A file contains nothing newer than its last write, so reading newest first opens it only when it can
    // contribute.
    while (
      waiting.length > 0 &&
      (!isNewestFirst || open.length === 0 || waiting[0]!.writtenAt >= newest(open))
    ) {
      const source = sourceOf(readFile(waiting.shift()!.file, wanted));
      if (source !== undefined) open.push(source);
    }
    if (open.length === 0) return;
    const index = indexOfNext(open, isNewestFirst);
    const source = open[index]!;
    yield source.entry;
    const next = sourceOf(source.rest, source.at);
    if (next === undefined) open.splice(index, 1);
    else open[index] = next;
  }
}

/** Returns the newest matching record in a session's file or in a folder. */
export function last(
  place: { readonly file: string } | { readonly folder: string },
  wanted: JournalQuery = {},
): ReadRecord | undefined {
  const how = { ...wanted, order: 'newest-first' } as const;
  for (const entry of 'file' in place ? readFile(place.file, how) : readFolder(place.folder, how))
    if (entry.kind === 'record' && entry.record.late !== true) return entry.record;
  return undefined;
}

function entriesOf(file: string, { bytes, number: line, isWhole }: Line): JournalEntry[] {
  return readLine(bytes).map(({ entry, to }) => {
    if (entry.kind === 'record') return { kind: 'record', file, line, record: entry.record };
    const isFinished = isWhole || to < bytes.length;
    return { kind: 'damage', file, line, why: isFinished ? entry.why : `was not finished (${entry.why})` };
  });
}

export function matchesQuery(
  record: ReadRecord,
  { hook, verdict, event, session, call }: JournalQuery,
): boolean {
  return (
    (verdict === undefined || record.verdict === verdict || wouldBe(record) === verdict) &&
    (event === undefined || record.event === event) &&
    (session === undefined || record.ids.session === session) &&
    (call === undefined || record.ids.call === call) &&
    (hook === undefined || record.hooks.some((considered) => considered.hook.id === hook))
  );
}

const wouldBe = ({ wouldHave }: ReadRecord): string | undefined =>
  wouldHave === undefined ? undefined : `would-${wouldHave.verdict}`;

interface Source {
  readonly entry: JournalEntry;
  /** Damage has no time, so it keeps that of the record before it. */
  readonly at: string;
  readonly rest: Generator<JournalEntry>;
}

function sourceOf(rest: Generator<JournalEntry>, before = ''): Source | undefined {
  const { value, done } = rest.next();
  if (done === true || value === undefined) return undefined;
  return { entry: value, at: value.kind === 'record' ? value.record.at : before, rest };
}

function indexOfNext(open: readonly Source[], isNewestFirst: boolean): number {
  let best = 0;
  for (let i = 1; i < open.length; i++)
    if (isNewestFirst ? open[i]!.at > open[best]!.at : open[i]!.at < open[best]!.at) best = i;
  return best;
}

const newest = (open: readonly Source[]): string =>
  open.reduce((at, source) => (source.at > at ? source.at : at), '');

function filesOf(folder: string): { readonly file: string; readonly writtenAt: string }[] {
  if (!existsSync(folder)) return [];
  const writtenMs = new Map<string, number>();
  for (const name of readdirSync(folder).filter((one) => one.endsWith('.jsonl'))) {
    const stats = statSync(join(folder, name), { throwIfNoEntry: false });
    const session = firstPartOf(join(folder, name));
    if (stats !== undefined) writtenMs.set(session, Math.max(stats.mtimeMs, writtenMs.get(session) ?? 0));
  }
  return [...writtenMs]
    .map(([file, ms]) => ({ file, writtenAt: new Date(ms + 1000).toISOString() }))
    .sort((a, b) => (a.writtenAt < b.writtenAt ? 1 : -1));
}
