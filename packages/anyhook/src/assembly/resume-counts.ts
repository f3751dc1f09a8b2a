/** How often in a row a stop was answered with "go on", by session. */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Event } from '../canon/event.ts';
import { textOfFile } from '../settings/read-file.ts';

export interface ResumeCounts {
  /** 0: the last stop was none that we answered so. */
  get(event: Event): number;
  set(event: Event, count: number): void;
}

/** Sessions come and go; what is remembered of them is bounded. */
const REMEMBERED = 1000;
/** The session of events that name none: of it nothing is remembered, the next event may be anybody's. */
export const NAMELESS = 'unknown';
const KEPT_MS = 24 * 60 * 60_000;

export function countsInMemory(): ResumeCounts {
  const counts = new Map<string, number>();
  return {
    get: (event) => counts.get(keyOf(event)) ?? 0,
    set(event, count) {
      const key = keyOf(event);
      if (count === 0) return void counts.delete(key);
      if (counts.size >= REMEMBERED) counts.clear();
      counts.set(key, count);
    },
  };
}

const keyOf = ({ name, ids }: Event): string => `${name}\0${ids.session}\0${ids.agent ?? ''}`;

/**
 * For who lives for one event: the next one is another process. A disk that refuses has counted nothing, and events that name
 * no session are not counted: they may be anybody's.
 */
export function countsOnDisk(folder: string): ResumeCounts {
  const fileOf = (event: Event): string =>
    join(folder, createHash('sha256').update(keyOf(event)).digest('hex').slice(0, 32));
  return {
    get(event) {
      if (event.ids.session === NAMELESS) return 0;
      try {
        const count = Number(textOfFile(fileOf(event)) ?? 0);
        return Number.isSafeInteger(count) && count > 0 ? count : 0;
      } catch {
        return 0;
      }
    },
    set(event, count) {
      if (event.ids.session === NAMELESS) return;
      try {
        if (count === 0) return rmSync(fileOf(event), { force: true });
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        writeFileSync(fileOf(event), String(count), { mode: 0o600 });
        if (count === 1) dropOld(folder);
      } catch {
        // the agent's own flag is all there is then
      }
    },
  };
}

function dropOld(folder: string): void {
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    const { mtimeMs } = statSync(file, { throwIfNoEntry: false }) ?? { mtimeMs: Infinity };
    if (Date.now() - mtimeMs > KEPT_MS) rmSync(file, { force: true });
  }
}
