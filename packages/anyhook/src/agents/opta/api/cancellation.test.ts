/** Which hooks cancel and with which reason: the fault table of `tool.pre` and of the other events. */

import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Run } from '../../../index.ts';
import { context, scratch } from './fixtures/scratch.ts';
import { type HookDefinition, type HookEvent, HookManager, NoOpHookManager } from './index.ts';

async function fired(event: HookEvent, definition: Omit<HookDefinition, 'event'>, cwd = scratch()) {
  const runs: Run[] = [];
  const manager = HookManager.create([{ event, ...definition }], { onRun: (run) => runs.push(run) });
  const result = await manager.fire(
    event,
    context(event, { cwd, tool_name: 'run_command', tool_args: '{}' }),
  );
  return { result, runs };
}

describe('cancelling', () => {
  test('any exit code but 0 on tool.pre cancels with the trimmed stderr as the reason', async () => {
    for (const code of [1, 2, 3, 42, 255]) {
      const { result } = await fired('tool.pre', {
        command: `echo "  Blocked: ${code}  " >&2; exit ${code}`,
      });
      expect(result).toEqual({ cancelled: true, reason: `Blocked: ${code}` });
    }
  });

  test('a cancellation with empty stderr gets a default reason', async () => {
    const { result } = await fired('tool.pre', { command: 'echo only stdout; exit 1' });
    expect(result).toEqual({ cancelled: true, reason: 'blocked by an Opta hook without a reason' });
  });

  test('exit 0 does not cancel, whatever is printed: exactly { cancelled: false }', async () => {
    const { result } = await fired('tool.pre', { command: 'echo \'{"decision":"deny"}\'; echo no >&2' });
    expect(result).toStrictEqual({ cancelled: false });
  });

  test.each(['session.start', 'session.end', 'tool.post', 'compact', 'error', 'turn.done'] as const)(
    'a failing hook on %s cancels nothing',
    async (event) => {
      const { result, runs } = await fired(event, { command: 'echo bad >&2; exit 1' });
      expect(result).toStrictEqual({ cancelled: false });
      expect(runs.map(({ failedOpen, answer }) => [failedOpen, answer?.failed])).toEqual([
        [true, { kind: 'failed', detail: 'exit 1' }],
      ]);
    },
  );
});

describe('a failing guard blocks', () => {
  const broken: Record<string, { command: string; reason: RegExp }> = {
    'a missing script (exit 127)': { command: './nowhere.sh', reason: /not found/ },
    'a script without the exec bit (exit 126)': { command: './plain.sh', reason: /denied/i },
    'a folder for a script': { command: './', reason: /.+/ },
    'a syntax error': { command: 'if then', reason: /.+/ },
    'death by SIGKILL': { command: 'kill -KILL $$', reason: /failed \(killed/ },
    'death by SIGSEGV': { command: 'kill -SEGV $$', reason: /failed \(killed/ },
    'death by SIGTERM that was not ours': { command: 'kill -TERM $$', reason: /failed \(killed/ },
  };
  test.each(Object.entries(broken))('a guard with %s blocks', async (_, { command, reason }) => {
    const cwd = scratch({ 'plain.sh': '#!/bin/sh\n' });
    chmodSync(join(cwd, 'plain.sh'), 0o644);
    const { result } = await fired('tool.pre', { command }, cwd);
    expect(result).toEqual({ cancelled: true, reason: expect.stringMatching(reason) });
  });

  test('a failing guard passes with a mark if its author chose that', async () => {
    const { result, runs } = await fired('tool.pre', { command: 'kill -KILL $$', onFailure: 'allow' });
    expect([result, runs[0]?.failedOpen]).toEqual([{ cancelled: false }, true]);
  });

  test('"ask" is cancelled with the question as its reason', async () => {
    const { result } = await fired('tool.pre', { command: 'kill -KILL $$', onFailure: 'ask' });
    expect(result).toEqual({ cancelled: true, decision: 'ask', reason: expect.stringMatching(/killed/) });
  });
});

describe('the manager', () => {
  test('the manager without hooks is one shared no-op: the same object and the same frozen answer', async () => {
    const [one, two, three] = [HookManager.create(), HookManager.create([]), HookManager.create(undefined)];
    expect([one === two, two === three, one instanceof NoOpHookManager]).toEqual([true, true, true]);
    const [a, b] = [
      await one.fire('tool.pre', context('tool.pre')),
      await two.fire('error', context('error')),
    ];
    expect([a === b, Object.isFrozen(a), a]).toEqual([true, true, { cancelled: false }]);
  });

  test('the manager with hooks is a HookManager and not the no-op', () => {
    const manager = HookManager.create([{ event: 'error', command: 'true' }]);
    expect([manager instanceof HookManager, manager instanceof NoOpHookManager]).toEqual([true, false]);
    expect(HookManager.create() instanceof HookManager).toBe(true);
  });

  test('the manager freezes every answer', async () => {
    const cases = ['exit 0', 'exit 1', 'kill -KILL $$'];
    for (const command of cases)
      expect(Object.isFrozen((await fired('tool.pre', { command })).result)).toBe(true);
  });

  test('the manager never rejects because of a hook, on any event', async () => {
    const faults = ['exit 1', './nowhere', 'kill -KILL $$', 'exec 0<&- 1>&- 2>&-; exit 7', '\0', ')('];
    const events = ['session.start', 'tool.pre', 'tool.post', 'prompt.pre', 'stop', 'error'] as const;
    for (const command of faults)
      for (const event of events) {
        const { result } = await fired(event, { command });
        expect(typeof result.cancelled).toBe('boolean');
      }
  });

  test('the manager throws for an unknown event', async () => {
    const manager = HookManager.create([{ event: 'tool.pre', command: 'exit 1' }]);
    await expect(manager.fire('tool.per' as HookEvent, context('tool.pre'))).rejects.toThrow(
      /^not an Opta event: "tool.per"/,
    );
  });

  test('the manager accepts a context with missing fields, and the hook runs', async () => {
    const manager = HookManager.create([{ event: 'tool.pre', command: 'exit 1' }]);
    expect((await manager.fire('tool.pre', {} as never)).cancelled).toBe(true);
  });
});
