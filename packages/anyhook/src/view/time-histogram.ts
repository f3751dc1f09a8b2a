/** Times of many runs in a few numbers: steps of five percent, so that a percentile is right to two and a half. */
const GROWTH = Math.log(1.05);
const LEAST_MS = 0.001;

export class TimeHistogram {
  count = 0;
  max = 0;
  readonly #steps = new Map<number, number>();

  add(ms: number): void {
    const step = Math.round(Math.log(Math.max(ms, LEAST_MS)) / GROWTH);
    this.#steps.set(step, (this.#steps.get(step) ?? 0) + 1);
    this.count++;
    this.max = Math.max(this.max, ms);
  }

  /** The time that this part of all runs stays within; undefined before the first. */
  within(part: number): number | undefined {
    if (this.count === 0) return undefined;
    let left = Math.ceil(part * this.count);
    for (const [step, count] of [...this.#steps].sort(([a], [b]) => a - b)) {
      left -= count;
      if (left <= 0) return Math.min(this.max, Math.exp(step * GROWTH));
    }
    return this.max;
  }
}
