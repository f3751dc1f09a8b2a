import { describe, expect, test } from 'vitest';
import { context, ground, hooksIn, until } from './fixtures/scratch.ts';
import { HookManager } from './index.ts';

describe('statusMessage', () => {
  test('statusMessage is shown while the hook runs and cleared afterwards; a hook without one shows nothing', async () => {
    const shown: (string | undefined)[] = [];
    const manager = HookManager.create(
      [
        { event: 'tool.pre', command: 'true', statusMessage: 'Checking…' },
        { event: 'tool.pre', command: 'true' },
        { event: 'tool.pre', command: 'exit 1', statusMessage: 'Guarding…' },
        { event: 'tool.pre', command: 'true', statusMessage: 'never: the one before it cancels' },
      ],
      { onStatus: (message) => shown.push(message) },
    );
    await manager.fire('tool.pre', context('tool.pre', { tool_name: 'x' }));
    expect(shown).toEqual(['Checking…', undefined, 'Guarding…', undefined]);
  });

  test('statusMessage of a skipped hook is not shown', async () => {
    const shown: (string | undefined)[] = [];
    const manager = HookManager.create(
      [{ event: 'tool.pre', matcher: 'edit', command: 'true', statusMessage: 'x' }],
      { onStatus: (message) => shown.push(message) },
    );
    await manager.fire('tool.pre', context('tool.pre', { tool_name: 'read' }));
    expect(shown).toEqual([]);
  });

  test('statusMessage of a background hook reappears when a shorter hook has ended, and disappears at its own end', async () => {
    const shown: (string | undefined)[] = [];
    const manager = HookManager.create(
      [
        { event: 'tool.post', command: 'sleep 0.7', statusMessage: 'Testing…', background: true },
        { event: 'tool.post', command: 'true', statusMessage: 'Linting…' },
      ],
      { onStatus: (message) => shown.push(message) },
    );
    await manager.fire('tool.post', context('tool.post', { tool_name: 'x' }));
    await until(() => shown.length === 4);
    expect(shown).toEqual(['Testing…', 'Linting…', 'Testing…', undefined]);
  });

  test('a status line that cannot be drawn decides nothing', async () => {
    const manager = HookManager.create([{ event: 'tool.pre', command: 'exit 1', statusMessage: 'x' }], {
      onStatus: () => {
        throw new Error('no terminal');
      },
    });
    expect((await manager.fire('tool.pre', context('tool.pre'))).cancelled).toBe(true);
  });

  test('statusMessage reaches a host of createHooks with the hook, at start and end', async () => {
    const { home, cwd } = ground({
      'home/.config/opta/config.json': JSON.stringify({
        hooks: [
          { event: 'tool.pre', matcher: 'run_command', command: 'true', statusMessage: 'Checking…' },
          { event: 'tool.pre', matcher: 'edit_file', command: 'true', statusMessage: 'Other…' },
        ],
      }),
    });
    const shown: string[] = [];
    const hooks = await hooksIn({
      home,
      cwd,
      watch: {
        onStart: ({ status }) => shown.push(`start ${status}`),
        onEnd: ({ status }) => shown.push(`end ${status}`),
      },
    });
    await hooks.fire({ name: 'tool.before', payload: { tool: 'run_command', input: {} } });
    expect(shown).toEqual(['start Checking…', 'end Checking…']);
  });
});
