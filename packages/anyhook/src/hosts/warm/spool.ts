/**
 * A client keeps what it sent in a file of its own. Whoever renames that file first, the engine to `.taken` or the client to
 * `.cold`, answers the event: however late a word of the other one comes, no hook is started twice.
 */
import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

export const keptBy = (spool: string, pid: number): string => `${spool}/${pid}`;
export const TAKEN_ENDING = '.taken';
export const COLD_ENDING = '.cold';
/** What a client has heard, in a file: a shell reads one without a fork, and Node without what a socket needs. */
export const HEARD_ENDING = '.heard';

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

/** What clients have heard and read, and what those left behind that were killed. */
export function sweepSpool(spool: string): void {
  try {
    for (const name of readdirSync(spool)) {
      const file = join(spool, name);
      if (isRead(name) || isOld(file)) rmSync(file, { force: true });
    }
  } catch {
    // the next look may see it
  }
}
/** Its client has ended: one that lives may be slow. */
const isRead = (name: string): boolean =>
  name.endsWith(HEARD_ENDING) && !existsSync(`/proc/${name.slice(0, -HEARD_ENDING.length)}`);
const isOld = (file: string): boolean =>
  Date.now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0) > LONGEST_MS;
