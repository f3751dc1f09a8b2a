/** The longest wait a timer can hold; `setTimeout` turns anything longer into one millisecond. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * At least 1 ms; `Infinity` is as long as numbers go; what is no number is no time at all.
 * @param {number} ms
 */
export const sane = (ms) => (ms >= 1 ? Math.min(ms, Number.MAX_SAFE_INTEGER) : 1);

/**
 * Calls once when the time is up, by a clock that nobody can set back. Longer than a timer's reach: wound up again.
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
 * A clock that nobody can set and that all processes of a machine share; nothing where the runtime does not promise that.
 * @returns {number | undefined}
 */
export function sharedClockMs() {
  if (process.versions['bun'] !== undefined) return undefined;
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1e3 + nanoseconds / 1e6;
}
