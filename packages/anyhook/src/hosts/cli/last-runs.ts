import { readFolder } from '../../journal/index.ts';

export interface LastRun {
  readonly at: string;
  /** What it said, in a word; `failed`: it broke. */
  readonly said: string;
}

/** So many records are looked through, from the newest: `list` is not the place to read years. */
const LOOKED_AT = 5000;

export function lastRuns(folder: string, ids: ReadonlySet<string>): Map<string, LastRun> {
  const runs = new Map<string, LastRun>();
  let looked = 0;
  for (const entry of readFolder(folder, { order: 'newest-first' })) {
    if (runs.size === ids.size || ++looked > LOOKED_AT) break;
    if (entry.kind !== 'record') continue;
    for (const { hook, skipped, failed, effects = [] } of entry.record.hooks)
      if (skipped === undefined && ids.has(hook.id) && !runs.has(hook.id))
        runs.set(hook.id, {
          at: entry.record.at,
          said: failed === undefined ? (effects[0]?.kind ?? 'nothing') : failed.kind,
        });
  }
  return runs;
}
