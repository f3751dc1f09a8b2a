import { rmSync } from 'node:fs';

const EVERY_MS = 100;
const asleep = new Int32Array(new SharedArrayBuffer(4));

/**
 * Removes a folder even if a background hook is still writing a record into it. `rmSync` retries too, but
 * only with the names that it listed first, so a new file would make it fail.
 */
export function removeTree(folder: string, withinMs = 10_000): void {
  const last = Date.now() + withinMs;
  for (;;) {
    try {
      return rmSync(folder, { recursive: true, force: true });
    } catch (error) {
      if (Date.now() > last) throw error;
      Atomics.wait(asleep, 0, 0, EVERY_MS);
    }
  }
}
