/** Background hooks end after their event was recorded. Combines the two records of such a run. */

import type { ReadRecord } from './guard.ts';
import { readFile } from './read.ts';
import type { ConsideredHook } from './record.ts';
import { journalFileOf } from './store.ts';

/** Returns the record with the results of its background hooks, as far as they have ended. */
export function withEnds(record: ReadRecord, folder: string): ReadRecord {
  const missing = new Set(record.hooks.flatMap(({ late }) => late ?? []));
  if (missing.size === 0) return record;
  const ends = new Map<string, ConsideredHook>();
  const file = journalFileOf(folder, record.ids.session);
  for (const entry of readFile(file, { order: 'newest-first' })) {
    if (ends.size === missing.size) break;
    if (entry.kind !== 'record') continue;
    if (entry.record.hash === record.hash) break;
    if (entry.record.late !== true) continue;
    for (const one of entry.record.hooks)
      if (one.late !== undefined && missing.has(one.late)) ends.set(one.late, one);
  }
  return { ...record, hooks: record.hooks.map((one) => ends.get(one.late ?? '') ?? one) };
}
