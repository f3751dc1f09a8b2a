/** What a program hands in that cannot work: an error with the place, before any hook is fired. */
import { describe, expect, test } from 'vitest';
import { context } from './fixtures/scratch.ts';
import { HookManager } from './index.ts';

const create = (given: unknown) => () => HookManager.create(given as never);

describe('a timeout', () => {
  test.each([NaN, 0, -1, 99, 60_001, Infinity, '500', null])(
    'of %s is an error that names the hook',
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
  test.each([100, 250.5, 60_000])('of %s is as the schema wants it', (timeout) => {
    expect(create([{ event: 'tool.pre', command: 'true', timeout }])).not.toThrow();
  });
});

describe('definitions that are none', () => {
  test.each([
    [null, 'hooks expected a list of definitions, got null'],
    [
      { event: 'tool.pre', command: 'x' },
      'hooks is {"event":"tool.pre","command":"x"}, a list of definitions is expected',
    ],
    ['x', 'hooks is "x", a list of definitions is expected'],
    [[null], 'hooks[0] expected a definition, got null'],
    [[{ event: 'tool.pre', command: 'x' }, 7], 'hooks[1] is 7, a definition is expected'],
  ])('%j is an error in words', (given, message) => {
    expect(create(given)).toThrow(message);
  });
});

describe('a signal', () => {
  test('ends the hook that is running; a tool that was asked about does not run', async () => {
    const manager = HookManager.create([{ event: 'tool.pre', command: 'sleep 60', timeout: 60_000 }]);
    const ending = new AbortController();
    setTimeout(() => ending.abort(), 200);
    const result = await manager.fire('tool.pre', context('tool.pre', { tool_name: 'x' }), ending.signal);
    expect(result.cancelled).toBe(true);
  }, 30_000);
});
