/** Tools that run a command under another name than the shell: a shell guard runs for each of them. */

import { expect, test } from 'vitest';
import { EVERYTHING } from '../events/capabilities.ts';
import type { Fields } from '../events/effects.ts';
import { createHooks } from '../library/create-hooks.ts';
import type { ProgramHooks } from './options.ts';

const verdictOf = async (host: string, tool: string, input: Fields, answer?: string): Promise<unknown> => {
  const hooks = await createHooks({
    host: { name: host, can: EVERYTHING },
    settings: false,
    journal: false,
    hooks: {
      'tool.before': [
        {
          match: 'shell(touch *)',
          run: () =>
            answer === undefined
              ? { kind: 'deny', reason: 'no' }
              : { kind: 'set', at: ['input', 'command'], to: answer },
        },
      ],
    } as unknown as ProgramHooks,
  });
  const { verdict, payload } = await hooks.fire({ name: 'tool.before', payload: { tool, input } });
  await hooks.close();
  return answer === undefined ? verdict : [verdict, payload.input];
};

const RUN_IT: readonly [host: string, tool: string, input: Fields][] = [
  ['qwen-code', 'monitor', { command: 'touch x' }],
  ['grok-build', 'monitor', { command: 'touch x', description: 'y' }],
  ['claude-code', 'Monitor', { command: 'touch x', description: 'y' }],
  ['oh-my-pi', 'hub', { op: 'start', name: 'x', application: 'touch', args: ['x'] }],
  ['oh-my-pi', 'hub', { op: 'start', name: 'x', application: 'env', args: ['-i', 'touch', 'x'] }],
  ['oh-my-pi', 'hub', { op: 'start', name: 'x', application: 'sh', args: ['-c', "touch 'it is'"] }],
  ['oh-my-pi', 'eval', { language: 'js', code: 'require("node:child_process").execSync("touch x")' }],
  ['oh-my-pi', 'eval', { language: 'py', code: "import os\nos.system('touch x')" }],
];
test.each(RUN_IT)('%s: a shell guard refuses %s %j', async (host, tool, input) => {
  expect(await verdictOf(host, tool, input)).toBe('deny');
});

const OTHERS: readonly [tool: string, input: Fields][] = [
  ['hub', { op: 'list' }],
  ['hub', { op: 'start', name: 'x', application: 'npm', args: ['run', 'dev'] }],
  ['hub', { op: 'send', to: 'all', message: 'touch x' }],
  ['eval', { language: 'py', code: 'print(1)' }],
  ['eval', { language: 'js', code: '1 + 1' }],
];
test.each(OTHERS)('a shell guard does not refuse %s %j', async (tool, input) => {
  expect(await verdictOf('oh-my-pi', tool, input)).toBe('none');
});

test('a changed command is passed to a monitor, and becomes a question if the tool has no field for it', async () => {
  expect(await verdictOf('qwen-code', 'monitor', { command: 'touch x' }, 'ls')).toEqual([
    'none',
    { command: 'ls' },
  ]);
  const start = { op: 'start', name: 'x', application: 'touch', args: ['x'] };
  expect(await verdictOf('oh-my-pi', 'hub', start, 'ls')).toEqual(['ask', start]);
});
