/** V4: `stop` makes the agent continue, but not forever. */

import { describe, expect, test } from 'vitest';
import { context, ground, hooksIn, read, scratch } from './fixtures/scratch.ts';
import { HookManager } from './index.ts';

const MOST = 8;
const GOES_ON = {
  event: 'stop',
  command: 'echo "${OPTA_STOP_ACTIVE:-0}" >> flags; echo "tests are red" >&2; exit 1',
} as const;

describe('a stop hook', () => {
  test('a stop hook with any exit code but 0 makes the agent continue with stderr as the reason', async () => {
    const manager = HookManager.create([GOES_ON]);
    const result = await manager.fire('stop', context('stop', { cwd: scratch() }));
    expect(result).toEqual({ cancelled: true, reason: 'tests are red' });
  });

  test('a stop hook that exits 0 lets the agent stop', async () => {
    const manager = HookManager.create([{ event: 'stop', command: 'true' }]);
    expect(await manager.fire('stop', context('stop'))).toStrictEqual({ cancelled: false });
  });

  test('a stop hook is obeyed eight times in a row, receives the flag from the second time on, and is then reported', async () => {
    const cwd = scratch();
    const manager = HookManager.create([GOES_ON]);
    const results = [];
    for (let i = 0; i <= MOST; i++) results.push(await manager.fire('stop', context('stop', { cwd })));
    expect(results.map(({ cancelled }) => cancelled)).toEqual([
      ...Array.from({ length: MOST }, () => true),
      false,
    ]);
    expect(results.at(-1)?.reason).toBe(
      'a stop hook made the agent continue 8 times in a row; it stops now (tests are red)',
    );
    expect(read(cwd, 'flags').trim().split('\n')).toEqual(['0', ...Array.from({ length: MOST }, () => '1')]);
    expect((await manager.fire('stop', context('stop', { cwd }))).cancelled).toBe(true); // a new series begins
  });

  test('a stop hook is counted per session, and a successful stop resets the count', async () => {
    const cwd = scratch();
    const manager = HookManager.create([
      { event: 'stop', command: '[ ! -e red ] || { echo red >&2; exit 1; }' },
    ]);
    const stop = async (session_id: string) =>
      (await manager.fire('stop', context('stop', { cwd, session_id }))).cancelled;
    const { writeFileSync, rmSync } = await import('node:fs');
    writeFileSync(`${cwd}/red`, '');
    for (let i = 0; i < MOST - 1; i++) expect(await stop('a')).toBe(true);
    expect(await stop('b')).toBe(true);
    rmSync(`${cwd}/red`);
    expect(await stop('a')).toBe(false);
    writeFileSync(`${cwd}/red`, '');
    expect([await stop('a'), await stop('a')]).toEqual([true, true]);
  });

  test('a stop hook that is not found does not keep the agent going', async () => {
    for (const command of ['./nowhere', '/', 'kill -KILL $$'])
      expect(await HookManager.create([{ event: 'stop', command }]).fire('stop', context('stop'))).toEqual({
        cancelled: false,
      });
  });

  test('a stop hook can also answer with JSON', async () => {
    const command = 'echo \'{"decision":"deny","reason":"not yet"}\'';
    const manager = HookManager.create([{ event: 'stop', command, protocol: 'json' }]);
    expect(await manager.fire('stop', context('stop'))).toEqual({ cancelled: true, reason: 'not yet' });
  });
});

test('a stop hook has the same limit and flag through createHooks', async () => {
  const { home, cwd } = ground({ 'home/.config/opta/config.json': JSON.stringify({ hooks: [GOES_ON] }) });
  const hooks = await hooksIn({ home, cwd });
  const outcomes = [];
  for (let i = 0; i <= MOST; i++)
    outcomes.push(await hooks.fire({ name: 'turn.stop', payload: { active: false } }));
  expect(outcomes.map(({ flow }) => flow.resume)).toEqual([
    ...Array.from({ length: MOST }, () => 'tests are red'),
    undefined,
  ]);
  expect(outcomes.at(-1)?.lost).toEqual(['resume: 8 times in a row']);
  expect(read(cwd, 'flags').trim().split('\n')).toEqual(['0', ...Array.from({ length: MOST }, () => '1')]);
});
