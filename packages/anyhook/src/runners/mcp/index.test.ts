import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Reply } from '../../events/exchange.ts';
import type { McpServer } from '../../events/hook.ts';
import { NEVER } from '../../events/signal.ts';
import { serve } from './fixtures/http-server.mjs';
import { type McpRunnerOptions, type McpRunner, openMcpRunner } from './index.ts';

const SERVER = fileURLToPath(new URL('./fixtures/stdio-server.mjs', import.meta.url));
const stdio = (...args: string[]): McpServer => ({ command: process.execPath, args: [SERVER, ...args] });
const runners: McpRunner[] = [];
function open(options?: McpRunnerOptions): McpRunner {
  const runner = openMcpRunner(options);
  runners.push(runner);
  return runner;
}
afterEach(async () => void (await Promise.all(runners.splice(0).map((runner) => runner.close()))));

const ask = (
  runner: McpRunner,
  server: McpServer | string | undefined,
  tool: string,
  args: object = {},
  timeoutMs = 20_000,
  signal = NEVER,
) =>
  runner.run(
    { kind: 'mcp', tool, ...(server !== undefined && { server }) },
    { kind: 'send', body: JSON.stringify(args) },
    { timeoutMs, signal },
  );
const answered = (body: string): Reply => ({ kind: 'answered', status: 200, body });
const broken = (kind: string, detail: string | RegExp) => ({
  kind: 'broken',
  why: { kind, detail: typeof detail === 'string' ? detail : expect.stringMatching(detail) },
});
const lives = (pid: number) => {
  try {
    process.kill(pid, 0);
    // A zombie stays until its parent collects it.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
};
async function until(holds: () => boolean, withinMs = 15_000): Promise<void> {
  for (const due = Date.now() + withinMs; Date.now() < due && !holds();)
    await new Promise((resolve) => setTimeout(resolve, 20));
  expect(holds()).toBe(true);
}

let http: Awaited<ReturnType<typeof serve>>;
beforeAll(async () => void (http = await serve()));
afterAll(() => http.close());

describe.each([
  ['a program', () => stdio()],
  ['an address', (): McpServer => ({ url: http.url })],
])('a server that is %s', (_, server) => {
  test('is called with the arguments from the dialect, and its text is the answer', async () => {
    expect(await ask(open(), server(), 'echo', { a: [1], b: 'ü' })).toEqual(answered('{"a":[1],"b":"ü"}'));
  });

  test('answers with its text parts joined, without other parts', async () => {
    expect(await ask(open(), server(), 'parts')).toEqual(answered('one two'));
  });

  test('is started once and kept for the session', async () => {
    const runner = open();
    const replies = [];
    for (const _ of [1, 2, 3]) replies.push(await ask(runner, server(), 'count'));
    expect(replies).toEqual([answered('1'), answered('2'), answered('3')]);
    expect(await ask(open(), server(), 'count')).toEqual(answered('1'));
  });

  test('handles concurrent calls, also while it is starting', async () => {
    const runner = open();
    const replies = await Promise.all([1, 2, 3].map((n) => ask(runner, server(), 'echo', { n })));
    expect(replies).toEqual([answered('{"n":1}'), answered('{"n":2}'), answered('{"n":3}')]);
  });

  test('that answers isError is broken, with its message', async () => {
    expect(await ask(open(), server(), 'refuse')).toEqual(broken('failed', 'the disk is full'));
  });

  test('that lacks the tool is reported with the nearest name', async () => {
    expect(await ask(open(), server(), 'ecko')).toEqual(
      broken('unavailable', /^the MCP server .* has no tool 'ecko'; did you mean 'echo'\?$/),
    );
  });

  test('that rejects the arguments is broken', async () => {
    expect(await ask(open(), server(), 'say', { text: 7 })).toEqual(broken('failed', /text/));
  });

  test('that hangs is abandoned at the deadline and works for the next call', async () => {
    const runner = open();
    expect(await ask(runner, server(), 'hang', {}, 1_500)).toEqual({
      kind: 'broken',
      why: { kind: 'timed-out' },
    });
    expect(await ask(runner, server(), 'echo')).toEqual(answered('{}'));
  });

  test('that hangs does not affect a concurrent call', async () => {
    const runner = open();
    await ask(runner, server(), 'echo');
    const [hung, fine] = await Promise.all([
      ask(runner, server(), 'hang', {}, 1_000),
      ask(runner, server(), 'echo', { n: 1 }),
    ]);
    expect([hung.kind, fine]).toEqual(['broken', answered('{"n":1}')]);
  });

  test('is abandoned when the host aborts', async () => {
    const runner = open();
    const ending = new AbortController();
    setTimeout(() => ending.abort(), 300);
    expect(await ask(runner, server(), 'hang', {}, 20_000, ending.signal)).toEqual({
      kind: 'broken',
      why: { kind: 'aborted' },
    });
    expect(await ask(runner, server(), 'echo', {}, 20_000, ending.signal)).toEqual({
      kind: 'broken',
      why: { kind: 'aborted' },
    });
  });

  test('that changes its list of tools is called with the current one', async () => {
    const runner = open();
    expect((await ask(runner, server(), 'grown')).kind).toBe('broken');
    expect(await ask(runner, server(), 'grow')).toEqual(answered('grown'));
    expect(await ask(runner, server(), 'grown')).toEqual(answered('here now'));
    expect(await ask(runner, server(), 'shrink')).toEqual(answered('gone'));
    expect(await ask(runner, server(), 'shrink')).toEqual(broken('unavailable', /no tool 'shrink'/));
  });

  test('is not used after close', async () => {
    const runner = open();
    await ask(runner, server(), 'echo');
    await runner.close();
    expect(await ask(runner, server(), 'echo')).toEqual(broken('aborted', 'the runner is closed'));
  });
});

describe('a program', () => {
  test('runs in its folder with its own variables and nothing else of the environment', async () => {
    const cwd = realpathSync(mkdtempSync(join(tmpdir(), 'mcp-')));
    process.env['SECRET'] = 'host only';
    try {
      const server = { ...stdio(), env: { GIVEN: 'yes' } } as McpServer;
      const reply = await ask(open({ cwd }), server, 'where');
      const said = JSON.parse((reply as { body: string }).body) as Record<string, unknown>;
      expect(said).toEqual({ cwd, pid: expect.any(Number), secret: null, given: 'yes' });
    } finally {
      delete process.env['SECRET'];
      rmSync(cwd, { recursive: true });
    }
  });

  test('that dies during the call is broken with its last output, and the next call restarts it', async () => {
    const runner = open();
    await ask(runner, stdio(), 'count');
    expect(await ask(runner, stdio(), 'die')).toEqual(
      broken('killed', /ended during the call \(exit 3: out of luck\)$/),
    );
    expect(await ask(runner, stdio(), 'count')).toEqual(answered('1'));
  });

  test('that dies before it answered is not-started with the reason', async () => {
    expect(await ask(open(), stdio('dies-at-start'), 'echo')).toEqual(
      broken('not-started', /could not be started: exit 7: no configuration found$/),
    );
  });

  test('that does not exist is not-started', async () => {
    const server = { command: 'anyhook-no-such-server' };
    expect(await ask(open(), server, 'echo')).toEqual(
      broken(
        'not-started',
        'the MCP server anyhook-no-such-server could not be started: spawn anyhook-no-such-server ENOENT',
      ),
    );
  });

  test('that never finishes starting is abandoned at the deadline', async () => {
    expect(await ask(open(), stdio('hangs-at-start'), 'echo', {}, 1_500)).toEqual({
      kind: 'broken',
      why: { kind: 'timed-out' },
    });
  });

  test('that prints a line that is not a message still works', async () => {
    expect(await ask(open(), stdio('noisy'), 'echo')).toEqual(answered('{}'));
  });

  test('is ended by close with everything it started', async () => {
    const runner = open();
    const reply = await ask(runner, stdio('leaves-a-child'), 'where');
    const { pid } = JSON.parse((reply as { body: string }).body) as { pid: number };
    const [child] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number);
    expect([lives(pid), lives(child!)]).toEqual([true, true]);
    await runner.close();
    await until(() => !lives(pid) && !lives(child!));
  });

  test('that is stuck in a loop is killed after its deadline', async () => {
    const runner = open();
    const where = (await ask(runner, stdio(), 'where')) as { body: string };
    const { pid } = JSON.parse(where.body) as { pid: number };
    expect((await ask(runner, stdio(), 'spin', {}, 500)).kind).toBe('broken');
    await until(() => !lives(pid));
  });
});

describe('an address', () => {
  test('gets the configured headers, and no stream is held open', async () => {
    const before = http.seen.length;
    await ask(open(), { url: http.url, headers: { authorization: 'Bearer t' } }, 'echo');
    const seen = http.seen.slice(before);
    expect(seen.map(({ method }) => method)).not.toContain('GET');
    expect(new Set(seen.map(({ headers }) => headers.authorization))).toEqual(new Set(['Bearer t']));
  });

  test('that lost the session gets a new one, and the call is repeated', async () => {
    const runner = open();
    expect(await ask(runner, { url: http.url }, 'count')).toEqual(answered('1'));
    http.forget();
    expect(await ask(runner, { url: http.url }, 'count')).toEqual(answered('1'));
  });

  test('that is not listening is not-started', async () => {
    expect(await ask(open(), { url: 'http://127.0.0.1:9/mcp?key=secret' }, 'echo')).toEqual(
      broken(
        'not-started',
        /^the MCP server http:\/\/127\.0\.0\.1:9\/mcp could not be reached: (?!.*secret)/,
      ),
    );
  });

  test('that is not an MCP server is not-started', async () => {
    expect(await ask(open(), { url: `${http.origin}/else` }, 'echo')).toEqual(
      broken('not-started', /could not be reached: .*no such page/),
    );
  });
});

describe('the host’s own client', () => {
  test('is called if the hook names no server, with a signal that aborts at the deadline', async () => {
    const asked: unknown[] = [];
    const runner = open({
      callTool: async (tool, args, { signal, server }) => {
        asked.push([tool, args, server, signal.aborted]);
        return { content: [{ type: 'text', text: 'from the host' }] };
      },
    });
    expect(await ask(runner, undefined, 'memory__recall', { n: 1 })).toEqual(answered('from the host'));
    expect(await ask(runner, 'memory', 'recall')).toEqual(answered('from the host'));
    expect(await ask(runner, stdio(), 'count')).toEqual(answered('1'));
    expect(asked).toEqual([
      ['memory__recall', { n: 1 }, undefined, false],
      ['recall', {}, 'memory', false],
    ]);
  });

  test('that throws, hangs or returns nonsense is broken with a reason', async () => {
    let aborted = false;
    const answers: Record<string, () => unknown> = {
      throws: () => {
        throw new Error('no such extension');
      },
      nonsense: () => 'ok',
      fails: () => ({ content: [], isError: true }),
    };
    const runner = open({
      callTool: async (tool, _args, { signal }) => {
        if (tool === 'hangs')
          await new Promise((_, reject) =>
            signal.addEventListener('abort', () => ((aborted = true), reject(signal.reason as Error))),
          );
        return answers[tool]!() as never;
      },
    });
    expect(await ask(runner, undefined, 'throws')).toEqual(broken('failed', 'no such extension'));
    expect(await ask(runner, undefined, 'nonsense')).toEqual(broken('unreadable', /invalid result/));
    expect(await ask(runner, undefined, 'fails')).toEqual(broken('failed', /without a message/));
    expect(await ask(runner, undefined, 'hangs', {}, 200)).toEqual({
      kind: 'broken',
      why: { kind: 'timed-out' },
    });
    expect(aborted).toBe(true);
  });

  test('that is missing is reported', async () => {
    expect(await ask(open(), undefined, 'x')).toEqual(broken('unavailable', /no server for the tool 'x'/));
    expect(await ask(open(), 'memory', 'x')).toEqual(broken('unavailable', /unknown server 'memory'/));
  });
});

test('no file that is loaded before a hook needs it imports the SDK', () => {
  const source = (name: string) => readFileSync(fileURLToPath(new URL(name, import.meta.url)), 'utf8');
  const loads = (text: string) => /^import (?!type)[^;]*(?:@modelcontextprotocol|packed-sdk)/m.test(text);
  expect(['./index.ts', './connection.ts', './fault.ts'].filter((name) => loads(source(name)))).toEqual([]);
  expect(['./program.ts', './address.ts'].filter((name) => loads(source(name)))).toHaveLength(2);
  expect(existsSync(SERVER)).toBe(true);
});
