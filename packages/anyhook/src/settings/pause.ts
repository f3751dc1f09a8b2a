/**
 * The off switch: a small file next to the trust store with the time until which no hook runs. It expires by
 * itself.
 */

import { randomBytes } from 'node:crypto';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeFolder } from './make-folder.ts';
import { readOwn } from './own-file.ts';
import { polled } from './polled.ts';

export interface Pause {
  /** Milliseconds since 1970. */
  readonly sinceMs: number;
  readonly untilMs: number;
}

/** A limit, so that no user disables guards permanently by mistake. */
export const LONGEST_PAUSE_MS = 24 * 60 * 60 * 1000;

export const pauseFileIn = (dataFolder: string): string => join(dataFolder, 'paused.json');

/** Ignores a file that is damaged, expired, longer than allowed, or writable by other users. */
export function readPause(file: string, nowMs: number): Pause | undefined {
  const bytes = readOwn(file);
  if (bytes === undefined) return undefined;
  try {
    const { sinceMs, untilMs } = JSON.parse(bytes.toString('utf8')) as Partial<Pause>;
    if (typeof sinceMs !== 'number' || typeof untilMs !== 'number') return undefined;
    if (untilMs <= nowMs || sinceMs > nowMs || untilMs - sinceMs > LONGEST_PAUSE_MS) return undefined;
    return { sinceMs, untilMs };
  } catch {
    return undefined;
  }
}

export function writePause(file: string, pause: Pause): void {
  makeFolder(dirname(file));
  const aside = `${file}.${randomBytes(6).toString('hex')}`;
  writeFileSync(aside, `${JSON.stringify(pause)}\n`, { flag: 'wx', mode: 0o600 });
  renameSync(aside, file);
}

export const endPause = (file: string): void => rmSync(file, { force: true });

/** Returns whether hooks are paused. Reads the file again after `everyMs`. */
export function watchPause(file: string, everyMs: number): () => boolean {
  const latest = polled(() => readPause(file, Date.now()), everyMs);
  return () => {
    const pause = latest();
    return pause !== undefined && Date.now() < pause.untilMs;
  };
}
