/** The longest timer; `setTimeout` treats anything longer as one millisecond. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * At least 1 ms. `Infinity` becomes the largest integer, and NaN becomes 1 ms.
 * @param {number} ms
 */
export const sane = (ms) => (ms >= 1 ? Math.min(ms, Number.MAX_SAFE_INTEGER) : 1);

/**
 * Calls once when the time is up, on the monotonic clock. Times beyond the longest timer are split.
 * @param {number} ms
 * @param {() => void} call
 */
export function deadline(ms, call) {
  const due = performance.now() + sane(ms);
  /** @type {NodeJS.Timeout} */
  let timer;
  let held = true;
  const wind = () => {
    const left = due - performance.now();
    timer = setTimeout(left > LONGEST_TIMER_MS ? wind : call, Math.min(Math.max(left, 0), LONGEST_TIMER_MS));
    if (!held) timer.unref();
  };
  wind();
  return {
    leftMs: () => Math.max(0, due - performance.now()),
    cancel: () => clearTimeout(timer),
    /** Does not keep the program alive. */
    unref() {
      held = false;
      timer.unref();
    },
  };
}

/**
 * Returns the time of a monotonic clock that all processes of a machine share, or undefined if the runtime
 * does not guarantee that.
 * @returns {number | undefined}
 */
export function sharedClockMs() {
  if (process.versions['bun'] !== undefined) return undefined;
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1e3 + nanoseconds / 1e6;
}
