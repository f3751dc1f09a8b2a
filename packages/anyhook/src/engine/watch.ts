/**
 * One timer for all pending fires: an AbortController and a timer per hook would cost more than the hooks. Long
 * deadlines are taken from a clock that is read once per tick, because reading the real one costs as much as a hook.
 */

export interface DeadlineSlot {
  /** On the monotonic clock. */
  deadline: number;
  expire(): void;
}

/** How late a long deadline may ring; short ones are exact. */
const TICK_MS = 50;
const EXACT_BELOW_MS = 1000;

const pending = new Set<DeadlineSlot>();
let timer: ReturnType<typeof setTimeout> | undefined;
let rings = Infinity;
/** Not older than one tick while anything is pending. */
let clock = 0;

export const deadlineIn = (timeoutMs: number): number =>
  timeoutMs < EXACT_BELOW_MS ? performance.now() + timeoutMs : clock + TICK_MS + timeoutMs;

/** `timeoutMs` counts from now. */
export function watch(one: DeadlineSlot, timeoutMs: number): void {
  if (pending.size === 0) {
    clock = performance.now();
    timer?.ref();
  }
  pending.add(one);
  move(one, timeoutMs);
}
/** For the next hook: arms the timer anew when its deadline is earlier. */
export function move(one: DeadlineSlot, timeoutMs: number): void {
  one.deadline = deadlineIn(timeoutMs);
  if (one.deadline < rings || timer === undefined) arm(one.deadline);
}
export function unwatch(one: DeadlineSlot): void {
  pending.delete(one);
  // Left to ring: the next fire is likely to need it, and an idle program must be able to end.
  if (pending.size === 0) timer?.unref();
}

function arm(deadline: number): void {
  clearTimeout(timer);
  const now = performance.now();
  rings = Math.min(deadline, now + TICK_MS);
  timer = setTimeout(ring, Math.max(rings - now, 0));
}

function ring(): void {
  clock = performance.now();
  const late = clock - rings;
  [timer, rings] = [undefined, Infinity];
  // The event loop was held: deadlines were taken from an old clock meanwhile, and nobody could answer.
  if (late > TICK_MS) for (const one of pending) one.deadline += late;
  const due: DeadlineSlot[] = [];
  let next = Infinity;
  for (const one of pending)
    if (one.deadline <= clock) due.push(one);
    else if (one.deadline < next) next = one.deadline;
  for (const one of due) pending.delete(one);
  if (pending.size > 0) arm(next);
  // A timer that is late rings for several at once: for each in its turn all the same.
  for (const one of due.toSorted((a, b) => a.deadline - b.deadline)) one.expire();
}
