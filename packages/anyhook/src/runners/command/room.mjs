import { closeSync, openSync } from 'node:fs';
import { devNull } from 'node:os';

/** Three pipes with two ends each, and a pair on which the system reports the result of the start. */
const HANDLES_OF_A_START = 8;

/**
 * Returns true if there are enough file handles for another start. A start that fails for lack of the last
 * two leaks one (seen in Node 20.20), so retrying would use up the handles that it waits for.
 */
export function hasRoom() {
  /** @type {number[]} */
  const held = [];
  try {
    while (held.length < HANDLES_OF_A_START) held.push(openSync(devNull, 'r'));
    return true;
  } catch {
    return false;
  } finally {
    for (const handle of held) closeSync(handle);
  }
}
