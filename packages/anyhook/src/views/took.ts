/** A time as people read it: at most three digits, in the unit that fits. */
export function took(ms: number): string {
  if (ms < 999.5) return `${threeDigits(ms)} ms`;
  if (ms < 999_500) return `${threeDigits(ms / 1000)} s`;
  return `${threeDigits(ms / 60_000)} min`;
}

const threeDigits = (value: number): number =>
  Number(value.toFixed(value < 9.995 ? 2 : value < 99.95 ? 1 : 0));
