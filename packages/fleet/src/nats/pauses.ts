/**
 * Pauses between retries, with an increasing bounded delay that a signal ends. Reports when a problem begins and when
 * it is over.
 */

import { setTimeout as sleep } from 'node:timers/promises';

const FIRST_MS = 100;
const LONGEST_MS = 10_000;

export interface Pauses {
  /** `atLeastMs` is the delay that the server requested. */
  after(error: unknown, atLeastMs?: number): Promise<void>;
  over(callback: () => void): void;
}

export function pauses(signal: AbortSignal, tell: (why: string) => void): Pauses {
  let ms = FIRST_MS;
  let lastReason = '';
  return {
    async after(error, atLeastMs = 0) {
      const why = reasonOf(error);
      if (why !== lastReason) tell(why);
      lastReason = why;
      await sleep(Math.max(atLeastMs, ms * (0.5 + Math.random() / 2)), undefined, { signal });
      ms = Math.min(LONGEST_MS, ms * 2);
    },
    over(callback) {
      if (lastReason !== '') callback();
      [ms, lastReason] = [FIRST_MS, ''];
    },
  };
}

export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
