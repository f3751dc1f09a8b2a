/**
 * Formats a duration with at most three digits and a fitting unit. Not TypeScript, because the processes that
 * run hooks use it too, and they start from source.
 * @param {number} ms
 */
export function took(ms) {
  if (ms < 999.5) return `${threeDigits(ms)} ms`;
  if (ms < 999_500) return `${threeDigits(ms / 1000)} s`;
  return `${threeDigits(ms / 60_000)} min`;
}

/** @param {number} value */
const threeDigits = (value) => Number(value.toFixed(value < 9.995 ? 2 : value < 99.95 ? 1 : 0));
