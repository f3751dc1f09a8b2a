/** A lock between processes, as a lock file next to the protected file. */

import { closeSync, openSync, rmSync, statSync } from 'node:fs';

/** Work under a lock takes milliseconds. An older lock belongs to a process that has died. */
const STALE_MS = 1_000;
const GIVE_UP_MS = 3_000;
const PAUSE_MS = 5;

/**
 * Runs `work` while no other process holds the lock of this file. Blocks the thread while it waits. Throws
 * what `work` throws, or an error if the lock is not available.
 */
export function withFileLock<T>(file: string, work: () => T): T {
  const lock = `${file}.lock`;
  takeLock(lock);
  try {
    return work();
  } finally {
    rmSync(lock, { force: true });
  }
}

function takeLock(lock: string): void {
  const giveUpAt = performance.now() + GIVE_UP_MS;
  for (;;) {
    try {
      closeSync(openSync(lock, 'wx', 0o600));
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || performance.now() > giveUpAt) throw error;
    }
    const madeMs = statSync(lock, { throwIfNoEntry: false })?.mtimeMs;
    if (madeMs !== undefined && Date.now() - madeMs > STALE_MS) rmSync(lock, { force: true });
    else if (madeMs !== undefined) pause();
  }
}

const pauseCell = new Int32Array(new SharedArrayBuffer(4));
const pause = () => void Atomics.wait(pauseCell, 0, 0, PAUSE_MS);
