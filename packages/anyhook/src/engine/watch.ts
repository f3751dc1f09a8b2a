/** One timer for all pending fires: an AbortController and a timer per hook would cost more than the hooks. */

export interface Watched {
  /** On the monotonic clock. */
  deadline: number;
  expire(): void;
}

/** `setTimeout` takes longer waits for 1 ms. */
const LONGEST = 2 ** 31 - 1;
const pending = new Set<Watched>();
let timer: ReturnType<typeof setTimeout> | undefined;
let rings = Infinity;

export function watch(one: Watched): void {
  if (pending.size === 0) timer?.ref();
  pending.add(one);
  if (one.deadline < rings) arm(one.deadline);
}
/** The deadline was moved; an earlier one needs an earlier bell. */
export function moved(one: Watched): void {
  if (one.deadline < rings) arm(one.deadline);
}
export function unwatch(one: Watched): void {
  pending.delete(one);
  // Left to ring: the next fire is likely to need it, and an idle program must be able to end.
  if (pending.size === 0) timer?.unref();
}

function arm(deadline: number): void {
  clearTimeout(timer);
  rings = deadline;
  timer = setTimeout(ring, Math.min(Math.max(deadline - performance.now(), 0), LONGEST));
}

function ring(): void {
  [timer, rings] = [undefined, Infinity];
  const now = performance.now();
  let next = Infinity;
  for (const one of pending)
    if (one.deadline <= now) {
      pending.delete(one);
      one.expire();
    } else if (one.deadline < next) next = one.deadline;
  if (next < Infinity) arm(next);
}
