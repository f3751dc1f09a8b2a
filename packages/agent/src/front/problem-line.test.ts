import { expect, test } from 'vitest';
import { problemLine } from './problem-line.ts';

const problem = {
  code: 'not-loaded',
  file: '/p/a.ts',
  message: 'it is not there',
  severity: 'error',
} as const;

test.each([
  [{}, '/p/a.ts: it is not there'],
  [{ line: 3, column: 4, key: 'plugin' }, '/p/a.ts:3:4: plugin it is not there'],
  [{ remedy: 'Install it.' }, '/p/a.ts: it is not there. Install it.'],
  [{ message: 'is it there?', remedy: 'Look.' }, '/p/a.ts: is it there? Look.'],
])('problemLine formats %j as complete sentences: %s', (more, line) => {
  expect(problemLine({ ...problem, ...more })).toBe(line);
});
