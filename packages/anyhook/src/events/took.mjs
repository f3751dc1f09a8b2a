/**
 * A time as people read it: at most three digits, in the unit that fits. Not TypeScript, because the processes that run hooks
 * say it too, and those are started from the sources as they are.
 * @param {number} ms
 */
export function took(ms) {
  if (ms < 999.5) return `${threeDigits(ms)} ms`;
  if (ms < 999_500) return `${threeDigits(ms / 1000)} s`;
  return `${threeDigits(ms / 60_000)} min`;
}

/** @param {number} value */
const threeDigits = (value) => Number(value.toFixed(value < 9.995 ? 2 : value < 99.95 ? 1 : 0));
