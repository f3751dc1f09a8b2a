import { expect, test } from 'vitest';
import { toolsInModule } from './definitions-in.ts';

test('the tools of a file are named by the file and its exports; what is no tool is left out', () => {
  const one = { description: 'd', args: {}, execute: async () => '' };
  expect(
    toolsInModule('/p/.opencode/tool/math.ts', { default: one, add: { ...one }, helper: () => 1, LIMIT: 3 }),
  ).toEqual({
    math: one,
    math_add: { ...one },
  });
});
