import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { defineHook } from '../index.ts';
import { before, ground, shell, until, USER } from './fixtures/ground.ts';

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};
/** Writes its process id and keeps running. */
const STAYS = 'echo $$ > pid; exec sleep 60';
const pidIn = (folder: string) => Number(readFileSync(join(folder, 'pid'), 'utf8'));

describe('abort', () => {
  test('an aborted fire kills the running command and refuses the action', async () => {
    const { cwd, open } = ground({ [USER]: before({ run: STAYS }, { run: 'touch second' }) });
    const abort = new AbortController();
    const hooks = await open({ trust: { selfProtection: false } });
    const fired = hooks.fire({ ...shell('ls'), signal: abort.signal });
    await until(() => existsSync(join(cwd, 'pid')) && pidIn(cwd) > 0);
    abort.abort();
    const outcome = await fired;
    expect([outcome.verdict, outcome.aborted, outcome.reasons.every(({ broken }) => broken)]).toEqual([
      'deny',
      true,
      true,
    ]);
    await until(() => !isAlive(pidIn(cwd)));
    expect(existsSync(join(cwd, 'second'))).toBe(false);
  });

  test('the signal of createHooks ends every fire, including fires with a signal of their own, and background hooks', async () => {
    const { cwd, open } = ground({ [USER]: before({ run: STAYS, background: true }) });
    const [all, one] = [new AbortController(), new AbortController()];
    const hooks = await open({
      signal: all.signal,
      trust: { selfProtection: false },
      hooks: [defineHook({ on: 'tool.before', run: () => new Promise<void>(() => {}) })],
    });
    const fired = hooks.fire({ ...shell('ls'), signal: one.signal });
    await until(() => existsSync(join(cwd, 'pid')) && pidIn(cwd) > 0);
    all.abort();
    expect((await fired).verdict).toBe('deny');
    await until(() => !isAlive(pidIn(cwd)));
  });

  test('a signal that is aborted before the fire refuses the action without calling a hook', async () => {
    const { cwd, open } = ground({ [USER]: before({ run: 'touch ran' }) });
    const hooks = await open({ signal: AbortSignal.abort(), trust: { selfProtection: false } });
    const outcome = await hooks.fire(shell('ls'));
    expect([outcome.verdict, outcome.runs[0]?.answer?.failed?.kind]).toEqual(['deny', 'aborted']);
    expect(existsSync(join(cwd, 'ran'))).toBe(false);
  });

  test('an abort at any moment either refuses or follows a complete answer: no call passes unjudged', async () => {
    const { open } = ground({ [USER]: before({ run: 'sleep 0.02; exit 0' }) });
    const hooks = await open({ journal: false, trust: { selfProtection: false } });
    for (let afterMs = 0; afterMs <= 60; afterMs += 6) {
      const abort = new AbortController();
      setTimeout(() => abort.abort(), afterMs);
      const outcome = await hooks.fire({ ...shell('ls'), signal: abort.signal });
      const judged = outcome.runs[0]?.answer?.failed === undefined;
      expect(outcome.aborted ? outcome.verdict : judged).toBe(outcome.aborted ? 'deny' : true);
    }
  });

  test('an aborted tool does not run', async () => {
    const abort = new AbortController();
    const hooks = await ground().open({
      journal: false,
      hooks: [defineHook({ on: 'tool.before', run: () => abort.abort() })],
    });
    let ran = false;
    const tool = hooks.wrapTool({ name: 'shell', execute: () => (ran = true) });
    await expect(tool.execute({ command: 'ls' }, { signal: abort.signal })).rejects.toThrow('was aborted');
    expect(ran).toBe(false);
  });
});

describe('close', () => {
  test('a fire after close is refused and calls no hook', async () => {
    const { cwd, open } = ground({ [USER]: before({ run: 'touch ran' }) });
    const hooks = await open();
    await hooks.close();
    const outcome = await hooks.fire(shell('ls'));
    expect([outcome.verdict, outcome.reasons]).toEqual([
      'deny',
      [{ by: 'host', text: 'the hooks are closed', broken: true }],
    ]);
    expect(existsSync(join(cwd, 'ran'))).toBe(false);
  });
});
