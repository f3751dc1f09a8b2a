import { expect, test } from 'vitest';
import type { Problem } from '../events/problems.ts';
import { problemList } from './problem-list.ts';
import type { Screen } from './screen.ts';

const SCREEN = {
  width: 80,
  cwd: '/p',
  home: '/h',
  paint: (_: string, text: string) => text,
} as unknown as Screen;
const problem: Problem = {
  code: 'not-loaded',
  file: '/p/plugin.js',
  line: 1,
  message: 'opencode-x is not installed here',
  remedy: 'Install it, or take it out.',
  severity: 'error',
};

test.each<[string, { [K in keyof Problem]?: Problem[K] | undefined }, string]>([
  [
    'a message without an end',
    {},
    'opencode-x is not installed here. Install it, or take it out. [not-loaded]',
  ],
  [
    'a message that ends by itself',
    { message: 'unknown event "x".' },
    'unknown event "x". Install it, or take it out. [not-loaded]',
  ],
  ['no remedy', { remedy: undefined }, 'opencode-x is not installed here [not-loaded]'],
])('%s is separated from the text after it', (_, more, expected) => {
  expect(
    problemList([{ ...problem, ...more } as Problem], SCREEN)
      .at(-1)!
      .trim(),
  ).toBe(expected);
});
