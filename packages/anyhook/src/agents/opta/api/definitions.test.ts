/** Invalid definitions from a program: an error with the location before any hook fires. */

import { describe, expect, test } from 'vitest';
import { context } from './fixtures/scratch.ts';
import { HookManager } from './index.ts';

const create = (given: unknown) => () => HookManager.create(given as never);

describe('a timeout', () => {
  test.each([NaN, 0, -1, 99, 60_001, Infinity, '500', null])(
    'a timeout of %s is an error that names the hook',
    (timeout) => {
      const guards = [
        { event: 'tool.pre', command: 'true' },
        { event: 'tool.pre', command: 'exit 1', timeout },
      ];
      expect(create(guards)).toThrow(
        /^hooks\[1\]\.timeout is .*, milliseconds from 100 to 60000 are expected$/,
      );
    },
  );
  test.each([100, 250.5, 60_000])('a timeout of %s is valid', (timeout) => {
    expect(create([{ event: 'tool.pre', command: 'true', timeout }])).not.toThrow();
  });
});

describe('invalid definitions', () => {
  test.each([
    [null, 'hooks is null; expected a list of definitions'],
    [
      { event: 'tool.pre', command: 'x' },
      'hooks is {"event":"tool.pre","command":"x"}; expected a list of definitions',
    ],
    ['x', 'hooks is "x"; expected a list of definitions'],
    [[null], 'hooks[0] is null; expected a definition'],
    [[{ event: 'tool.pre', command: 'x' }, 7], 'hooks[1] is 7; expected a definition'],
  ])('the invalid definitions %j are an error', (given, message) => {
    expect(create(given)).toThrow(message);
  });
});

describe('a signal', () => {
  test('an aborted signal ends the running hook, and the tool does not run', async () => {
    const manager = HookManager.create([{ event: 'tool.pre', command: 'sleep 60', timeout: 60_000 }]);
    const ending = new AbortController();
    setTimeout(() => ending.abort(), 200);
    const result = await manager.fire('tool.pre', context('tool.pre', { tool_name: 'x' }), ending.signal);
    expect(result.cancelled).toBe(true);
  }, 30_000);
});
