import { expect, test, vi } from 'vitest';
import { deadline, sane } from './deadline.mjs';

test.each([
  [5, 5],
  [0.2, 1],
  [0, 1],
  [-7, 1],
  [NaN, 1],
  [2 ** 31, 2 ** 31],
  [Infinity, Number.MAX_SAFE_INTEGER],
])('a timeout of %d becomes %d', (given, taken) => expect(sane(given)).toBe(taken));

test.each([2 ** 31, Infinity])(
  'a timeout of %d does not fire at once, as a plain timer would',
  async (ms) => {
    let bare = false;
    let ours = false;
    const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
    const timer = setTimeout(() => (bare = true), ms);
    warned.mockRestore();
    const limit = deadline(ms, () => (ours = true));
    await new Promise((resolve) => setTimeout(resolve, 60));
    limit.cancel();
    clearTimeout(timer);
    expect({ bare, ours }).toEqual({ bare: true, ours: false });
  },
);

test('a timeout longer than a timer is split and fires when it is due', () => {
  vi.useFakeTimers();
  try {
    let calls = 0;
    deadline(2 ** 32, () => calls++);
    vi.advanceTimersByTime(2 ** 32 - 2);
    expect(calls).toBe(0);
    vi.advanceTimersByTime(2);
    expect(calls).toBe(1);
  } finally {
    vi.useRealTimers();
  }
});

test('changes of the wall clock do not affect it', async () => {
  const set = vi.spyOn(Date, 'now').mockReturnValue(0);
  const called = new Promise<string>((resolve) => deadline(20, () => resolve('called')));
  expect(await called).toBe('called');
  set.mockRestore();
});
