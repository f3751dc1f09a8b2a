/** Where open questions are kept: in memory for a program that stays, as one empty file each for one that lives for one event. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Event } from '../../canon/event.ts';
import type { QuestionStore } from '../../engine/open-questions.ts';

/** More open questions than sessions can have. Beyond it every call counts as asked about. */
const MOST = 10_000;
const KEPT_MS = 24 * 60 * 60_000;

export function questionsInMemory(): QuestionStore {
  const open = new Set<string>();
  return {
    has: (event, call) => open.has(keyOf(event, call)) || open.size >= MOST,
    add: (event, call) => open.size < MOST && Boolean(open.add(keyOf(event, call))),
    remove: (event, call) => void open.delete(keyOf(event, call)),
  };
}

export function questionsOnDisk(folder: string): QuestionStore {
  const fileOf = (event: Event, call: unknown): string => join(folder, keyOf(event, call));
  return {
    has: (event, call) => existsSync(fileOf(event, call)),
    add(event, call) {
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        removeOld(folder);
        writeFileSync(fileOf(event, call), '', { mode: 0o600 });
        return true;
      } catch {
        return false; // a full or read-only disk: the caller refuses the call
      }
    },
    remove(event, call) {
      const file = fileOf(event, call);
      if (existsSync(file)) rmSync(file, { force: true });
    },
  };
}

/** The session and the exact call, whatever order its fields are in. */
function keyOf({ ids }: Event, call: unknown): string {
  const { tool, input } = call as { tool?: unknown; input?: unknown };
  return createHash('sha256')
    .update(JSON.stringify([ids.session, tool, sorted(input)]))
    .digest('hex');
}
const sorted = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(sorted)
    : typeof value === 'object' && value !== null
      ? Object.entries(value)
          .toSorted(([a], [b]) => (a < b ? -1 : 1))
          .map(([key, inner]) => [key, sorted(inner)])
      : value;

function removeOld(folder: string): void {
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    const { mtimeMs } = statSync(file, { throwIfNoEntry: false }) ?? { mtimeMs: Infinity };
    if (Date.now() - mtimeMs > KEPT_MS) rmSync(file, { force: true });
  }
}
