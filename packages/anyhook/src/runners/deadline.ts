/**
 * Deadlines and aborts of everything that is awaited, on a single timer. A timer per hook would cost more
 * than most hooks.
 */

import type { Limit } from '../events/exchange.ts';

export type EndedBy = 'timed-out' | 'aborted';
export interface Wait {
  readonly endsAt: number;
  readonly signal: AbortSignal;
  readonly end: (why: EndedBy) => void;
}

/** `setTimeout` fires immediately for larger values and NaN, so they are clamped. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;
export const clampMs = (ms: number): number =>
  Number.isNaN(ms) ? LONGEST_TIMER_MS : Math.min(Math.max(ms, 0), LONGEST_TIMER_MS);

const waiting = new Set<Wait>();
const followed = new WeakSet<AbortSignal>();
let timer: NodeJS.Timeout | undefined;
let firesAt = Infinity;

/** Calls `end` once at the deadline or on abort, unless released before. Keeps the program alive. */
export function wait(limit: Limit, end: (why: EndedBy) => void): Wait {
  const entry: Wait = { endsAt: performance.now() + clampMs(limit.timeoutMs), signal: limit.signal, end };
  if (entry.signal.aborted) {
    end('aborted');
    return entry;
  }
  follow(entry.signal);
  waiting.add(entry);
  if (entry.endsAt < firesAt) arm(entry.endsAt);
  else if (waiting.size === 1) timer?.ref();
  return entry;
}

export function release(entry: Wait): void {
  // The timer stays armed for the next wait, but no longer keeps the program alive.
  if (waiting.delete(entry) && waiting.size === 0) timer?.unref();
}

function arm(at: number): void {
  clearTimeout(timer);
  firesAt = at;
  timer = setTimeout(expire, clampMs(Math.ceil(at - performance.now())));
}

function expire(): void {
  const now = performance.now();
  const due: Wait[] = [];
  let next = Infinity;
  for (const entry of waiting)
    if (entry.endsAt <= now) due.push(entry);
    else next = Math.min(next, entry.endsAt);
  firesAt = Infinity;
  timer = undefined;
  if (next !== Infinity) arm(next);
  for (const entry of due) finish(entry, 'timed-out');
}

/** Adds one listener per signal, because Node warns from the eleventh on. */
function follow(signal: AbortSignal): void {
  if (followed.has(signal)) return;
  followed.add(signal);
  const abort = () => {
    for (const entry of waiting) if (entry.signal === signal) finish(entry, 'aborted');
  };
  signal.addEventListener('abort', abort, { once: true });
}

function finish(entry: Wait, why: EndedBy): void {
  if (!waiting.has(entry)) return;
  release(entry);
  entry.end(why);
}
