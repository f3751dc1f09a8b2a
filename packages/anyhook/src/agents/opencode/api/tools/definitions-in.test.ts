import { expect, test } from 'vitest';
import { toolsInModule } from './definitions-in.ts';

test('tools of a file are named by the file and its exports, and other exports are omitted', () => {
  const one = { description: 'd', args: {}, execute: async () => '' };
  expect(
    toolsInModule('/p/.opencode/tool/math.ts', { default: one, add: { ...one }, helper: () => 1, LIMIT: 3 }),
  ).toEqual({
    math: one,
    math_add: { ...one },
  });
});
