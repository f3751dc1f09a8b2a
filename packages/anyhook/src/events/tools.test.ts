import { expect, test } from 'vitest';
import { TOOLS, type ToolName } from './tools.ts';

test('lists the tools that every coding agent has', () => {
  expect(Object.keys(TOOLS)).toEqual([
    'shell',
    'read',
    'write',
    'edit',
    'multi-edit',
    'patch',
    'editor',
    'glob',
    'grep',
    'fetch',
    'task',
    'todo',
  ]);
});

test('lists each argument of a tool once', () => {
  for (const tool of Object.keys(TOOLS) as ToolName[]) {
    const { args } = TOOLS[tool];
    expect(new Set(args).size).toBe(args.length);
  }
});
