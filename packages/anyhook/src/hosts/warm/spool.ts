/**
 * A client keeps what it sent in a file of its own. Whoever renames that file first, the engine to `.taken` or the client to
 * `.cold`, answers the event: however late a word of the other one comes, no hook is started twice.
 */
import { readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

export const keptBy = (spool: string, pid: number): string => `${spool}/${pid}`;
export const TAKEN_ENDING = '.taken';
export const COLD_ENDING = '.cold';

/** False: the other one was first. */
export function claim(kept: string, ending: typeof TAKEN_ENDING | typeof COLD_ENDING): boolean {
  try {
    renameSync(kept, `${kept}${ending}`);
    return true;
  } catch {
    return false;
  }
}

const LONGEST_MS = 60 * 60_000;

/** What clients left behind that were killed. */
export function sweepSpool(spool: string): void {
  try {
    for (const name of readdirSync(spool)) {
      const file = join(spool, name);
      if (Date.now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0) > LONGEST_MS)
        rmSync(file, { force: true });
    }
  } catch {
    // the next look may see it
  }
}
