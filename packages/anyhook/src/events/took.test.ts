import { expect, test } from 'vitest';
import { took } from './took.mjs';

test.each([
  [0, '0 ms'],
  [0.0044, '0 ms'],
  [0.12345, '0.12 ms'],
  [9.994, '9.99 ms'],
  [9.999, '10 ms'],
  [12.345, '12.3 ms'],
  [123.456, '123 ms'],
  [999.4, '999 ms'],
  [999.6, '1 s'],
  [1234.567, '1.23 s'],
  [59_999, '60 s'],
  [600_000, '600 s'],
  [1_200_000, '20 min'],
])('shows %d ms with at most three digits as %s', (ms, shown) => {
  expect(took(ms)).toBe(shown);
  expect(shown.replaceAll(/\D/g, '').length).toBeLessThanOrEqual(3);
});
