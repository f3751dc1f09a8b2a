import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import { clear, GLOBAL, ground, on } from './fixtures/ground.ts';
import { type GooseEvent, type GooseHooks, type GooseOptions, loadGooseHooks } from './index.ts';

const SERVER = fileURLToPath(new URL('../../../runners/mcp/fixtures/stdio-server.mjs', import.meta.url));
const program = { command: process.execPath, args: [SERVER] };
const opened: GooseHooks[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((goose) => goose.close()));
  clear();
});
async function load(files: Record<string, unknown>, more: Pick<GooseOptions, 'callTool'> = {}) {
  const at = ground(files);
  const goose = await loadGooseHooks({ ...at, ...more });
  opened.push(goose);
  return { ...at, goose };
}
const EVENT: GooseEvent = { hook_event_name: 'PreToolUse', session_id: 's', tool_name: 'x', tool_input: {} };
const tool = (name: string, more: object = {}) => ({ type: 'mcp_tool', tool: name, ...more });
const failureOf = async (goose: GooseHooks, event = EVENT) => {
  const { blocked, runs } = await goose.emit(event);
  return [blocked, runs[0]!.answer?.failed?.kind, runs[0]!.failedOpen];
};

describe("the host's own client", () => {
  const text = (said: string) => ({ content: [{ type: 'text' as const, text: said }] });
  test("the host's client receives the full tool name and the static arguments, and its text is read like stdout", async () => {
    const asked: unknown[] = [];
    const answers: Record<string, object> = {
      memory__recall: text(' you like tea '),
      policy__check: text('{"decision":"Block","reason":"not on Fridays"}'),
    };
    const callTool: GooseOptions['callTool'] = async (name, args, { signal }) => {
      asked.push([name, args, signal instanceof AbortSignal]);
      return answers[name] as never;
    };
    const files = {
      [GLOBAL]: {
        hooks: {
          SessionStart: [{ hooks: [tool('memory__recall', { arguments: { topic: 'tea' }, timeout: 5 })] }],
          PreToolUse: [{ hooks: [tool('policy__check')] }],
        },
      },
    };
    const { goose } = await load(files, { callTool });
    expect(await goose.emit({ hook_event_name: 'SessionStart' })).toMatchObject({
      blocked: false,
      additionalContext: 'you like tea',
    });
    expect(await goose.emit(EVENT)).toMatchObject({ blocked: true, reason: 'not on Fridays' });
    expect(asked).toEqual([
      ['memory__recall', { topic: 'tea' }, true],
      ['policy__check', {}, true],
    ]);
  });
  test('a host tool that fails, hangs or reports an error lets pass with a mark, and on_failure makes it block', async () => {
    const callTool: GooseOptions['callTool'] = async (name, _args, { signal }) => {
      if (name === 'throws') throw new Error('no such extension');
      if (name === 'hangs') await new Promise((_, no) => signal.addEventListener('abort', no));
      return { content: [{ type: 'text', text: '{"decision":"block"}' }], isError: true };
    };
    const outcome = async (name: string, more: object = {}) => {
      const { goose } = await load(
        { [GLOBAL]: on('PreToolUse', tool(name, { timeout: 0.3, ...more })) },
        { callTool },
      );
      return failureOf(goose);
    };
    expect(await outcome('throws')).toEqual([false, 'failed', true]);
    expect(await outcome('hangs')).toEqual([false, 'timed-out', true]);
    expect(await outcome('errs')).toEqual([false, 'failed', true]);
    expect(await outcome('errs', { on_failure: 'block' })).toEqual([true, 'failed', undefined]);
  });
  test("the host's client receives Goose's name for a tool of a named server", async () => {
    const asked: string[] = [];
    const callTool: GooseOptions['callTool'] = async (name) => {
      asked.push(name);
      return { content: [] };
    };
    const { goose } = await load(
      { [GLOBAL]: on('PreToolUse', tool('recall', { server: 'memory' })) },
      { callTool },
    );
    await goose.emit(EVENT);
    expect(asked).toEqual(['memory__recall']);
  });
});

describe('a server defined in the hook', () => {
  test('a server defined in the hook is started and called, and receives the event on request', async () => {
    const { goose } = await load({
      [GLOBAL]: on(
        'SessionStart',
        tool('say', { server: program, arguments: { text: 'from the server' } }),
        tool('echo', { server: program, arguments: { a: 1 }, pass_event: true }),
      ),
    });
    const { additionalContext, runs } = await goose.emit({
      hook_event_name: 'SessionStart',
      session_id: 's',
    });
    // The echo is a JSON object without a decision or a context, so nothing is injected.
    expect(additionalContext).toBe('from the server');
    expect(JSON.parse(runs[1]!.answer!.printed!)).toMatchObject({
      a: 1,
      event: { hook_event_name: 'SessionStart' },
    });
  });
  test('a missing server lets pass, with a mark', async () => {
    const { goose } = await load({
      [GLOBAL]: on('PreToolUse', tool('t', { server: { command: 'anyhook-nowhere' } })),
    });
    expect(await failureOf(goose)).toEqual([false, 'not-started', true]);
  });
});

describe('a server of .mcp.json', () => {
  const servers = { mcpServers: { fixture: { ...program, env: { GIVEN: '${WHO:-nobody}' } } } };
  const start = { hook_event_name: 'SessionStart' };
  const told = async (goose: GooseHooks) => (await goose.emit(start)).additionalContext;
  const say = { arguments: { text: 'hello' } };

  test('a server of .mcp.json is found by its name, or by the first part of the tool name', async () => {
    const { goose } = await load({
      'home/.mcp.json': servers,
      [GLOBAL]: on(
        'SessionStart',
        tool('say', { server: 'fixture', ...say }),
        tool('fixture__say', say),
        tool('mcp__fixture__say', say),
      ),
    });
    expect([goose.problems, await told(goose)]).toEqual([[], 'hello\nhello\nhello']);
  });
  test('a server of .mcp.json receives variables that its file references', async () => {
    const { goose } = await load({
      'home/.mcp.json': servers,
      [GLOBAL]: on('SessionStart', tool('fixture__where')),
    });
    const { runs } = await goose.emit(start);
    expect(JSON.parse(runs[0]!.answer!.printed!)).toMatchObject({ given: 'nobody' });
  });
  test('a server of the project only starts if project hooks are allowed', async () => {
    const files = (gate: object) => ({
      'project/.mcp.json': {
        mcpServers: { fixture: { command: 'sh', args: ['-c', 'touch started; exec sleep 30'] } },
      },
      [GLOBAL]: { ...gate, ...on('SessionStart', tool('say', { server: 'fixture', timeout: 1 })) },
    });
    const shut = await load(files({}));
    expect(await failureOf(shut.goose, start)).toEqual([false, 'unavailable', true]);
    expect(existsSync(join(shut.cwd, 'started'))).toBe(false);
    const open = await load(files({ allow_project_hooks: true }));
    expect(await failureOf(open.goose, start)).toEqual([false, 'timed-out', true]);
    expect(existsSync(join(open.cwd, 'started'))).toBe(true);
  });
  test('an undefined server is unavailable, and the message has a remedy', async () => {
    const { goose } = await load({ [GLOBAL]: on('PreToolUse', tool('t', { server: 'nobody' })) });
    const { runs } = await goose.emit(EVENT);
    expect(runs[0]!.answer!.failed).toEqual({
      kind: 'unavailable',
      detail: `unknown server 'nobody': describe it in the hook or in .mcp.json`,
    });
  });
  test('an invalid server is reported with its location', async () => {
    const { goose, home } = await load({
      'home/.mcp.json': { mcpServers: { fixture: { args: [] } } },
      [GLOBAL]: on('PreToolUse', tool('fixture__say')),
    });
    expect(goose.problems.map(({ file, key, code }) => [file, key, code])).toEqual([
      [join(home, '.mcp.json'), 'mcpServers.fixture', 'bad-value'],
    ]);
  });
});
