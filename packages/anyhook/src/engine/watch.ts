/**
 * One timer for all pending fires: an AbortController and a timer per hook would cost more than the hooks. Long
 * deadlines are taken from a clock that is read once per tick, because reading the real one costs as much as a hook.
 */

export interface DeadlineSlot {
  /** On the monotonic clock. */
  deadline: number;
  expire(): void;
  /** Its neighbours among those that are watched, in the order in which they came: a `Set` is made anew after every few of them. */
  before?: DeadlineSlot | undefined;
  after?: DeadlineSlot | undefined;
}

/** How late a long deadline may ring; short ones are exact. */
const TICK_MS = 50;
const EXACT_BELOW_MS = 1000;

let first: DeadlineSlot | undefined;
let last: DeadlineSlot | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;
let rings = Infinity;
/** Not older than one tick while anything is pending. */
let clock = 0;

export const deadlineIn = (timeoutMs: number): number =>
  timeoutMs < EXACT_BELOW_MS ? performance.now() + timeoutMs : clock + TICK_MS + timeoutMs;

/** `timeoutMs` counts from now. */
export function watch(one: DeadlineSlot, timeoutMs: number): void {
  if (first === undefined) {
    clock = performance.now();
    timer?.ref();
  }
  one.before = last;
  if (last === undefined) first = one;
  else last.after = one;
  last = one;
  move(one, timeoutMs);
}
/** For the next hook: arms the timer anew when its deadline is earlier. */
export function move(one: DeadlineSlot, timeoutMs: number): void {
  one.deadline = deadlineIn(timeoutMs);
  if (one.deadline < rings || timer === undefined) arm(one.deadline);
}
export function unwatch(one: DeadlineSlot): void {
  take(one);
  // Left to ring: the next fire is likely to need it, and an idle program must be able to end.
  if (first === undefined) timer?.unref();
}

/** Out of the list; one that is in it no more stays out. */
function take(one: DeadlineSlot): void {
  const { before, after } = one;
  if (before === undefined && first !== one) return;
  if (before === undefined) first = after;
  else before.after = after;
  if (after === undefined) last = before;
  else after.before = before;
  one.before = one.after = undefined;
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
  const due: DeadlineSlot[] = [];
  let next = Infinity;
  for (let one = first; one !== undefined; one = one.after) {
    if (late > TICK_MS) one.deadline += late;
    if (one.deadline <= clock) due.push(one);
    else if (one.deadline < next) next = one.deadline;
  }
  for (const one of due) take(one);
  if (first !== undefined) arm(next);
  // A timer that is late rings for several at once: for each in its turn all the same.
  for (const one of due.toSorted((a, b) => a.deadline - b.deadline)) one.expire();
}
