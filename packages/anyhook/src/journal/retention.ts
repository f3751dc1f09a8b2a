/** How much of the past is kept: whole sessions go, with their heads, so that what stays is still a chain without gaps. */
import { appendFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isLaterPart, sessionParts } from './session-parts.ts';

export interface Retention {
  readonly keepDays?: number;
  readonly keepBytes?: number;
}

interface KeptSession {
  readonly name: string;
  readonly parts: readonly string[];
  readonly bytes: number;
  readonly writtenMs: number;
}

const DAY_MS = 86_400_000;
/** What was removed, and when: a line each, beside the heads. */
export const REMOVED = 'removed.jsonl';

/** The names of the sessions that went, the oldest first. The session that is written now stays. */
export function removeOld(
  places: { readonly folder: string; readonly heads: string },
  { keepDays = Infinity, keepBytes = Infinity }: Retention,
  now: { readonly session: string; readonly atMs: number },
): string[] {
  const kept = sessionsIn(places.folder).toSorted((a, b) => a.writtenMs - b.writtenMs);
  let bytes = kept.reduce((sum, one) => sum + one.bytes, 0);
  const removed: string[] = [];
  for (const one of kept) {
    if (one.name === now.session) continue;
    if (now.atMs - one.writtenMs <= keepDays * DAY_MS && bytes <= keepBytes) continue;
    // The note comes first: what is missing without one is a finding.
    const note = { session: one.name, bytes: one.bytes, at: new Date(now.atMs).toISOString() };
    appendFileSync(join(places.heads, REMOVED), `${JSON.stringify(note)}\n`, { mode: 0o600 });
    for (const file of [join(places.heads, `${one.name}.head`), ...one.parts]) rmSync(file, { force: true });
    bytes -= one.bytes;
    removed.push(one.name);
  }
  return removed;
}

function sessionsIn(folder: string): KeptSession[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl') && !isLaterPart(name))
    .map((name) => {
      const parts = sessionParts(join(folder, name));
      const stats = parts.map((part) => statSync(part, { throwIfNoEntry: false }));
      return {
        name: basename(name, '.jsonl'),
        parts,
        bytes: stats.reduce((sum, one) => sum + (one?.size ?? 0), 0),
        writtenMs: Math.max(0, ...stats.map((one) => one?.mtimeMs ?? 0)),
      };
    });
}
