import { closeSync, openSync } from 'node:fs';
import { devNull } from 'node:os';

/** Three pipes with two ends each, and the pair over which the system tells how the start went. */
const HANDLES_OF_A_START = 8;

/**
 * Are there file handles enough for one more start? A start that fails for want of the last two loses one for good
 * (seen in Node 20.20), so trying again and again would eat up what it waits for.
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
