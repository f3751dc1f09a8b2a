/** Removes old snapshots, and every object that no remaining record needs. */

import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { UndoRecord } from './records.ts';
import type { UndoStore } from './store.ts';

export interface PruneLimits {
  readonly keepDays: number;
  readonly keepBytes: number;
}
export interface PruneResult {
  readonly records: number;
  readonly objects: number;
  readonly bytes: number;
}

const DAY_MS = 86_400_000;
/** Between two looks for old snapshots. */
const EVERY_MS = DAY_MS;

/** Calls that still run are kept. */
export const prune = (store: UndoStore, limits: PruneLimits, nowMs = Date.now()): Promise<PruneResult> =>
  store.locked(async () => pruneLocked(store, limits, nowMs));

export async function pruneIfDue(store: UndoStore, limits: PruneLimits): Promise<void> {
  const marker = join(store.folder, 'pruned');
  const mtimeMs = statSync(marker, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (Date.now() - mtimeMs < EVERY_MS) return;
  writeFileSync(marker, '', { mode: 0o600 });
  if (mtimeMs > 0) await prune(store, limits);
}

function pruneLocked(store: UndoStore, { keepDays, keepBytes }: PruneLimits, nowMs: number): PruneResult {
  const { records, objects } = store;
  const all = records.all();
  const sizes = objects.list();
  const oldest = new Date(nowMs - keepDays * DAY_MS).toISOString();
  const needed = new Set<string>();
  const kept: UndoRecord[] = [];
  let bytes = 0;
  for (const record of all.toReversed()) {
    const isRunning = record.endedAt === undefined && record.at >= new Date(nowMs - DAY_MS).toISOString();
    const more = objectsOf(record, store, needed);
    const size = [...more].reduce((sum, name) => sum + (sizes.get(name) ?? 0), 0);
    const isKept = keepDays > 0 && (isRunning || (record.at >= oldest && bytes + size <= keepBytes));
    if (!isKept) break; // older ones are removed too, so that what remains has no holes
    for (const name of more) needed.add(name);
    bytes += size;
    kept.push(record);
  }
  const keptIds = new Set(kept.map(({ id }) => id));
  const gone = all.filter(({ id }) => !keptIds.has(id));
  store.newGeneration(); // before anything is removed: what other processes know is void from here on
  for (const record of gone) records.remove(record);
  records.removeTurns(kept);
  records.removeUnfinished();
  let [count, freed] = [0, 0];
  for (const [name, size] of sizes) {
    if (needed.has(name)) continue;
    objects.remove(name);
    count += 1;
    freed += size;
  }
  return { records: gone.length, objects: count, bytes: freed };
}

/** Objects that this record needs and that are not needed already. */
function objectsOf({ areas, next }: UndoRecord, store: UndoStore, needed: ReadonlySet<string>): Set<string> {
  const found = new Set<string>();
  const waiting = [...areas.flatMap(({ before, after }) => [before, after ?? '']), next?.tree ?? ''];
  for (let tree = waiting.pop(); tree !== undefined; tree = waiting.pop()) {
    if (tree === '' || needed.has(tree) || found.has(tree)) continue;
    found.add(tree);
    for (const entry of entriesOf(store, tree))
      if (entry.kind === 'folder') waiting.push(entry.tree);
      else if (entry.kind === 'file' && !needed.has(entry.hash)) found.add(entry.hash);
  }
  return found;
}
function entriesOf(store: UndoStore, tree: string) {
  try {
    return [...store.objects.readTree(tree).values()];
  } catch {
    return []; // damaged; a restore reports it
  }
}
