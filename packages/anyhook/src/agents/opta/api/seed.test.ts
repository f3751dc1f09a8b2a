/** The tests of the document, sections 6.1 to 6.7, unchanged except for the import path. */

import { describe, expect, it } from 'vitest';
import { HookManager, NoOpHookManager, OptaConfigSchema } from './index.ts';

describe('Task 1: No-op path', () => {
  it('returns non-cancelled when no hooks configured', async () => {
    const mgr = HookManager.create();
    const r = await mgr.fire('session.start', { event: 'session.start', session_id: 't', cwd: '/tmp' });
    expect(r.cancelled).toBe(false);
  });
  it('create([]) returns no-op manager', async () => {
    const mgr = HookManager.create([]);
    const r = await mgr.fire('tool.pre', { event: 'tool.pre', session_id: 't', cwd: '/tmp', tool_name: 'x' });
    expect(r.cancelled).toBe(false);
  });
  it('is one shared manager with one frozen answer', async () => {
    expect(HookManager.create()).toBe(HookManager.create([]));
    expect(HookManager.create()).toBeInstanceOf(NoOpHookManager);
    expect(HookManager.create([{ event: 'error', command: 'true' }])).not.toBeInstanceOf(NoOpHookManager);
    const context = { event: 'error', session_id: 't', cwd: '/tmp' } as const;
    expect(Object.isFrozen(await HookManager.create().fire('error', context))).toBe(true);
  });
});

describe('Task 2: Execution + env vars', () => {
  it('fires hook and passes env vars', async () => {
    const mgr = HookManager.create([{ event: 'session.start', command: 'echo "$OPTA_EVENT"' }]);
    const r = await mgr.fire('session.start', { event: 'session.start', session_id: 's42', cwd: '/tmp' });
    expect(r.cancelled).toBe(false);
  });
  it('skips hooks for non-matching events', async () => {
    const mgr = HookManager.create([{ event: 'session.end', command: 'exit 1' }]);
    const r = await mgr.fire('session.start', { event: 'session.start', session_id: 't', cwd: '/tmp' });
    expect(r.cancelled).toBe(false);
  });
});

describe('Task 3: Matcher patterns', () => {
  it('matcher regex filters by tool name', async () => {
    const mgr = HookManager.create([
      { event: 'tool.pre', matcher: 'edit_file|write_file', command: 'exit 1' },
    ]);
    expect(
      (
        await mgr.fire('tool.pre', {
          event: 'tool.pre',
          session_id: 't',
          cwd: '/tmp',
          tool_name: 'edit_file',
        })
      ).cancelled,
    ).toBe(true);
    expect(
      (
        await mgr.fire('tool.pre', {
          event: 'tool.pre',
          session_id: 't',
          cwd: '/tmp',
          tool_name: 'read_file',
        })
      ).cancelled,
    ).toBe(false);
  });
  it('matches MCP tool names with mcp__.*', async () => {
    const mgr = HookManager.create([{ event: 'tool.pre', matcher: 'mcp__.*', command: 'exit 1' }]);
    const r = await mgr.fire('tool.pre', {
      event: 'tool.pre',
      session_id: 't',
      cwd: '/tmp',
      tool_name: 'mcp__mem__save',
    });
    expect(r.cancelled).toBe(true);
  });
});

describe('Task 4: tool.pre cancellation', () => {
  it('non-zero exit on tool.pre cancels with stderr reason', async () => {
    const mgr = HookManager.create([{ event: 'tool.pre', command: 'echo "Blocked" >&2 && exit 1' }]);
    const r = await mgr.fire('tool.pre', {
      event: 'tool.pre',
      session_id: 't',
      cwd: '/tmp',
      tool_name: 'run_command',
    });
    expect(r.cancelled).toBe(true);
    expect(r.reason).toContain('Blocked');
  });
  it('non-zero exit on tool.post does NOT cancel', async () => {
    const mgr = HookManager.create([{ event: 'tool.post', command: 'exit 1' }]);
    const r = await mgr.fire('tool.post', {
      event: 'tool.post',
      session_id: 't',
      cwd: '/tmp',
      tool_name: 'edit_file',
    });
    expect(r.cancelled).toBe(false);
  });
});

describe('Task 5: Timeout', () => {
  it('kills hooks exceeding timeout', async () => {
    const mgr = HookManager.create([{ event: 'session.start', command: 'sleep 60', timeout: 200 }]);
    const start = Date.now();
    await mgr.fire('session.start', { event: 'session.start', session_id: 't', cwd: '/tmp' });
    expect(Date.now() - start).toBeLessThan(2000);
  });
});

describe('Task 6: Background hooks', () => {
  it('background hooks do not block', async () => {
    const mgr = HookManager.create([{ event: 'session.end', command: 'sleep 5', background: true }]);
    const start = Date.now();
    await mgr.fire('session.end', { event: 'session.end', session_id: 't', cwd: '/tmp' });
    expect(Date.now() - start).toBeLessThan(1000);
  });
});

describe('Task 7: Config schema', () => {
  it('parses hooks from config', () => {
    const c = OptaConfigSchema.parse({
      hooks: [{ event: 'tool.pre', command: 'echo hi', matcher: 'edit_file' }],
    });
    expect(c.hooks).toHaveLength(1);
  });
  it('rejects invalid event name', () => {
    expect(() => OptaConfigSchema.parse({ hooks: [{ event: 'invalid', command: 'x' }] })).toThrow();
  });
  it('defaults to empty array', () => {
    expect(OptaConfigSchema.parse({}).hooks).toEqual([]);
  });
});
