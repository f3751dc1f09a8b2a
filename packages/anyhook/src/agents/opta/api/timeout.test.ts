import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import type { Run } from '../../../index.ts';
import { context, ground, hooksIn, pause, read, scratch, until } from './fixtures/scratch.ts';
import { HookManager } from './index.ts';

const exists = (cwd: string, name: string): boolean => {
  try {
    return read(cwd, name) !== undefined;
  } catch {
    return false;
  }
};

describe('a timeout', () => {
  test('a timeout kills the hook and all its child processes', async () => {
    const cwd = scratch();
    const command = '(sleep 2; touch survived) & sleep 60';
    const manager = HookManager.create([{ event: 'session.start', command, timeout: 200 }]);
    const started = Date.now();
    expect(await manager.fire('session.start', context('session.start', { cwd }))).toEqual({
      cancelled: false,
    });
    expect(Date.now() - started).toBeLessThan(10_000);
    await pause(2500);
    expect(exists(cwd, 'survived')).toBe(false);
  });

  test('a timeout on tool.pre does not cancel, and leaves a mark', async () => {
    const runs: Run[] = [];
    const definition = { event: 'tool.pre', command: 'sleep 60', timeout: 150 } as const;
    const manager = HookManager.create([definition], { onRun: (run) => runs.push(run) });
    const result = await manager.fire('tool.pre', context('tool.pre', { tool_name: 'x' }));
    expect(result).toStrictEqual({ cancelled: false });
    expect(runs.map(({ failedOpen, answer }) => [failedOpen, answer?.failed?.kind])).toEqual([
      [true, 'timed-out'],
    ]);
  });

  test('a timeout leaves the same mark in the outcome of createHooks', async () => {
    const { home, cwd } = ground({
      'home/.config/opta/config.json': JSON.stringify({
        hooks: [{ event: 'tool.pre', command: 'sleep 60', timeout: 150 }],
      }),
    });
    const hooks = await hooksIn({ home, cwd });
    const { verdict, runs } = await hooks.fire({ name: 'tool.before', payload: { tool: 'x', input: {} } });
    expect([verdict, runs.map((run) => run.failedOpen)]).toEqual(['none', [true]]);
  });

  test('a timeout blocks if the hook requests it', async () => {
    const manager = HookManager.create([
      { event: 'tool.pre', command: 'sleep 60', timeout: 150, onFailure: 'block' },
    ]);
    const result = await manager.fire('tool.pre', context('tool.pre', { tool_name: 'x' }));
    expect(result).toEqual({ cancelled: true, reason: expect.stringMatching(/timed-out/) });
  });

  test('the default timeout is 10 seconds', async () => {
    const { home, cwd } = ground({
      'home/.config/opta/config.json': '{"hooks":[{"event":"tool.pre","command":"true"}]}',
    });
    expect((await hooksIn({ home, cwd })).hooks.map(({ timeoutMs }) => timeoutMs)).toEqual([10_000]);
  });
});

describe('a background hook', () => {
  test('a background hook is not awaited', async () => {
    const cwd = scratch();
    const command = 'sleep 1; touch done';
    const manager = HookManager.create([{ event: 'tool.post', command, background: true }]);
    await manager.fire('tool.post', context('tool.post', { cwd, tool_name: 'x' }));
    expect(exists(cwd, 'done')).toBe(false);
    await until(() => exists(cwd, 'done'));
  });

  test('a background hook cannot cancel, and its failure is only recorded', async () => {
    const runs: Run[] = [];
    const manager = HookManager.create(
      [
        { event: 'tool.pre', command: 'echo no >&2; exit 1', background: true },
        { event: 'session.end', command: './nowhere', background: true },
      ],
      { onRun: (run) => runs.push(run) },
    );
    const results = [
      await manager.fire('tool.pre', context('tool.pre', { tool_name: 'x' })),
      await manager.fire('session.end', context('session.end')),
    ];
    expect(results).toEqual([{ cancelled: false }, { cancelled: false }]);
    await until(() => runs.filter(({ answer }) => answer !== undefined).length === 2);
    expect(runs.filter(({ skipped }) => skipped !== undefined).map(({ skipped }) => skipped)).toEqual([
      'in the background',
      'in the background',
    ]);
  });

  test('a background hook has a timeout', async () => {
    const cwd = scratch();
    const command = 'touch began; sleep 1.5; touch finished';
    const manager = HookManager.create([{ event: 'tool.post', command, background: true, timeout: 300 }]);
    await manager.fire('tool.post', context('tool.post', { cwd, tool_name: 'x' }));
    await until(() => exists(cwd, 'began'));
    await pause(2500);
    expect(exists(cwd, 'finished')).toBe(false);
  });

  test('a background hook of session.end survives a program that exits without waiting for the answer', async () => {
    const cwd = scratch();
    const program = fileURLToPath(new URL('./fixtures/fire-once.mjs', import.meta.url));
    const hooks = [{ event: 'session.end', command: 'sleep 0.5; touch done', background: true }];
    const plan = JSON.stringify({ hooks, fire: [context('session.end', { cwd })], end: 'exit' });
    const done = spawnSync(process.execPath, [program, plan], { encoding: 'utf8' });
    expect([done.status, done.stdout, done.stderr]).toEqual([0, '', '']);
    await until(() => exists(cwd, 'done'));
  });
});
