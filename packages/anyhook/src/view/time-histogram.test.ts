import { expect, test } from 'vitest';
import { TimeHistogram } from './tally.ts';

test('percentiles are accurate to 2.5 % and never above the maximum', () => {
  const times = new TimeHistogram();
  expect([times.within(0.5), times.max]).toEqual([undefined, 0]);
  for (let ms = 1; ms <= 1000; ms++) times.add(ms);
  for (const [part, ms] of [
    [0.5, 500],
    [0.95, 950],
    [1, 1000],
  ] as const)
    expect(Math.abs(times.within(part)! - ms) / ms).toBeLessThan(0.026);
  expect([times.count, times.max]).toEqual([1000, 1000]);
});

test('a run of zero duration is counted', () => {
  const times = new TimeHistogram();
  times.add(0);
  expect([times.count, times.within(0.5)]).toEqual([1, 0]);
});
