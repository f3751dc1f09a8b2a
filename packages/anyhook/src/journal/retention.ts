/** Removes old sessions, each with its head, so that every remaining chain stays complete. */

import { appendFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isLaterPart, sessionParts } from './session-parts.ts';
import { unshippedIn } from './shipped.ts';

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
/** Log of removed sessions, one line each, next to the heads. */
export const REMOVED = 'removed.jsonl';

/**
 * How long, and up to which total size, sessions that were not shipped yet are kept. The oldest are removed
 * first.
 */
export const UNSHIPPED = { days: 30, bytes: 1_000_000_000 };

export interface RemovedSession {
  readonly session: string;
  /** Bytes that were never shipped. */
  readonly unshippedBytes: number;
}

/** Returns the removed sessions, oldest first. Never removes the current session. */
export function removeOld(
  places: { readonly folder: string; readonly heads: string },
  keep: Retention,
  now: { readonly session: string; readonly atMs: number },
  bound: typeof UNSHIPPED = UNSHIPPED,
): RemovedSession[] {
  const old = oldIn(places.folder, keep, now);
  if (old.length === 0) return [];
  const unshipped = unshippedIn(places.folder);
  const looked = old.map((one) => ({ ...one, unshippedBytes: unshipped(one.parts) }));
  let waiting = looked.reduce((sum, { bytes, unshippedBytes }) => sum + (unshippedBytes > 0 ? bytes : 0), 0);
  const removed: RemovedSession[] = [];
  for (const { name, parts, bytes, writtenMs, unshippedBytes } of looked) {
    if (unshippedBytes > 0) {
      if (waiting <= bound.bytes && now.atMs - writtenMs <= bound.days * DAY_MS) continue;
      waiting -= bytes;
    }
    // The note is written first, because a missing session without one counts as tampering.
    const note = {
      session: name,
      bytes,
      ...(unshippedBytes > 0 && { unshippedBytes }),
      at: new Date(now.atMs).toISOString(),
    };
    appendFileSync(join(places.heads, REMOVED), `${JSON.stringify(note)}\n`, { mode: 0o600 });
    for (const file of [join(places.heads, `${name}.head`), ...parts]) rmSync(file, { force: true });
    removed.push({ session: name, unshippedBytes });
  }
  return removed;
}

/** Returns the sessions that exceed the limits in the settings, oldest first. */
function oldIn(
  folder: string,
  { keepDays = Infinity, keepBytes = Infinity }: Retention,
  now: { readonly session: string; readonly atMs: number },
): KeptSession[] {
  const sessions = sessionsIn(folder).toSorted((a, b) => a.writtenMs - b.writtenMs);
  let bytes = sessions.reduce((sum, one) => sum + one.bytes, 0);
  return sessions.filter((one) => {
    if (one.name === now.session) return false;
    if (now.atMs - one.writtenMs <= keepDays * DAY_MS && bytes <= keepBytes) return false;
    bytes -= one.bytes;
    return true;
  });
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
