/**
 * The hook tests of the Python SDK (`test_tool_callbacks.py`, `test_query.py`) and of the Go pull request, ported: same
 * input frames, same output frames.
 */

import { describe, expect, test, vi } from 'vitest';
import { callback, cancel, never, opened, success } from './fixtures/streams.ts';
import { type HookEvent, type HookJSONOutput, type HooksByEvent, HookService } from './index.ts';

/** Registers one callback on one event, sends one request, and returns the written answer. */
async function answered(
  event: HookEvent,
  output: unknown,
  input: Record<string, unknown> = {},
  toolUseId?: string,
) {
  const seen: unknown[] = [];
  const { ends } = opened({
    [event]: (...args: unknown[]) => (seen.push(args[0], args[1]), output as HookJSONOutput),
  });
  ends.put(
    callback('test-1', 'hook_1', { input, ...(toolUseId !== undefined && { tool_use_id: toolUseId }) }),
  );
  await ends.hear(1);
  return { frame: ends.heard[0], seen };
}

describe('test_tool_callbacks.py', () => {
  test('a hook runs with its input and tool use id, and its answer is written', async () => {
    const { frame, seen } = await answered(
      'PreToolUse',
      { systemMessage: 'processed' },
      { test: 'data' },
      'tool-123',
    );
    expect(seen).toEqual([{ test: 'data' }, 'tool-123']);
    expect(frame).toEqual(success('test-1', { systemMessage: 'processed' }));
  });

  test('all sync fields are sent, without the trailing underscore', async () => {
    const own = {
      hookEventName: 'PreToolUse',
      permissionDecision: 'deny',
      permissionDecisionReason: 'Security policy violation',
      updatedInput: { modified: 'input' },
    };
    const rest = {
      suppressOutput: false,
      stopReason: 'Test stop reason',
      decision: 'block',
      systemMessage: 'm',
      reason: 'r',
    };
    const { frame } = await answered('PreToolUse', { continue_: true, ...rest, hookSpecificOutput: own });
    expect(frame).toEqual(success('test-1', { continue: true, ...rest, hookSpecificOutput: own }));
  });

  test.each([
    [
      { async_: true, asyncTimeout: 5000 },
      { async: true, asyncTimeout: 5000 },
    ],
    [{ async_: true }, { async: true }],
    [
      { continue_: false, stopReason: 'Testing', systemMessage: 'm' },
      { continue: false, stopReason: 'Testing', systemMessage: 'm' },
    ],
  ])('async output and field names: %j', async (output, written) => {
    expect((await answered('PostToolUse', output)).frame).toEqual(success('test-1', written));
  });

  test.each<[string, HookEvent, Record<string, unknown>, Record<string, unknown>]>([
    [
      'a notification',
      'Notification',
      { message: 'Task completed', notification_type: 'info' },
      { additionalContext: 'Notification processed' },
    ],
    [
      'a permission request',
      'PermissionRequest',
      { tool_name: 'Bash', tool_input: { command: 'ls' } },
      { decision: { behavior: 'allow' } },
    ],
    [
      'a subagent that starts',
      'SubagentStart',
      { agent_id: 'agent-42', agent_type: 'researcher' },
      { additionalContext: 'Subagent approved' },
    ],
    [
      'updated output of an MCP tool',
      'PostToolUse',
      { tool_name: 'mcp_tool', tool_response: 'original' },
      { updatedMCPToolOutput: { result: 'modified' } },
    ],
    [
      'context before a tool',
      'PreToolUse',
      { tool_name: 'Bash', tool_input: {} },
      { permissionDecision: 'allow', additionalContext: 'Extra context for Claude' },
    ],
    [
      'context after a failure',
      'PostToolUseFailure',
      { tool_name: 'Bash', error: 'x' },
      { additionalContext: 'c' },
    ],
  ])('ported test: %s', async (_title, event, input, fields) => {
    const output = { hookSpecificOutput: { hookEventName: event, ...fields } };
    const { frame, seen } = await answered(event, output, {
      hook_event_name: event,
      session_id: 's',
      ...input,
    });
    expect([frame, (seen[0] as { hook_event_name: string }).hook_event_name]).toEqual([
      success('test-1', output),
      event,
    ]);
  });

  test('new events can be registered and are sent to the CLI', async () => {
    const { ends, handler } = opened({
      Notification: { hooks: [() => ({})] },
      SubagentStart: { hooks: [() => ({})] },
      PermissionRequest: { hooks: [() => ({})] },
    });
    void handler.initialize().catch(() => undefined);
    const [frame] = await ends.hear(1);
    expect(frame).toMatchObject({
      request: {
        hooks: {
          Notification: [{ hookCallbackIds: ['hook_1'] }],
          SubagentStart: [{ hookCallbackIds: ['hook_2'] }],
          PermissionRequest: [{ hookCallbackIds: ['hook_3'] }],
        },
      },
    });
    await handler.close();
  });
});

describe('test_query.py', () => {
  test('a cancel request cancels the running hook and writes nothing', async () => {
    let signal: AbortSignal | undefined;
    const { ends, handler } = opened({
      PreToolUse: (_i, _t, context) => ((signal = context.signal), never()),
    });
    ends.put(callback('r1', 'hook_1'));
    await vi.waitFor(() => expect(signal).toBeDefined());
    ends.put(cancel('r1'));
    await vi.waitFor(() => expect(signal!.aborted).toBe(true));
    expect([ends.heard, handler.inFlight]).toEqual([[], 0]);
  });

  test('an unknown cancel is ignored', async () => {
    const { ends, logged } = opened({ Stop: () => ({}) });
    ends.put(cancel('nope'), callback('r1', 'hook_1'));
    await ends.hear(1);
    expect(logged).toEqual([]);
  });

  test('finished requests are removed from the table', async () => {
    const { ends, handler } = opened({ Stop: () => ({}) });
    ends.put(callback('r1', 'hook_1'));
    await ends.hear(1);
    expect(handler.inFlight).toBe(0);
  });
});

describe('the Go pull request, hooking/', () => {
  test('one hook, several hooks and no hooks give one id, two ids and none', () => {
    const given = (hooks: HooksByEvent | null) => Object.keys(new HookService().registerHooks(hooks)).length;
    const none = () => ({});
    expect([
      given({ PreToolUse: none }),
      given({ PreToolUse: none, PostToolUse: none }),
      given(null),
    ]).toEqual([1, 2, 0]);
  });

  test('callbacks exist once their ids are created, and registering them again creates new ids', async () => {
    const service = new HookService();
    const hooks = { Stop: () => ({ systemMessage: 'here' }) };
    const ids = [...Object.keys(service.registerHooks(hooks)), ...Object.keys(service.registerHooks(hooks))];
    expect(ids).toEqual(['hook_1', 'hook_2']);
    expect(await Promise.all(ids.map((id) => service.executeCallback(id, {})))).toEqual([
      { systemMessage: 'here' },
      { systemMessage: 'here' },
    ]);
  });
});
