import { rmSync } from 'node:fs';

const EVERY_MS = 100;
const asleep = new Int32Array(new SharedArrayBuffer(4));

/**
 * Takes a folder away although a background hook may still be writing its record into it. `rmSync` tries again too, but with the
 * names that it read the first time: a file that came later keeps it from ever succeeding.
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
