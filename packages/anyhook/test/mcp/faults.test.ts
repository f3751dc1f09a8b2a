/**
 * Invalid input from either side: it is reported, the session continues or ends as without the proxy, and nothing
 * refused runs.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, test, vi } from 'vitest';
import { BIN, connected, ground, guard, PATIENT, program, proxied, served, textOf } from './ground.ts';
import { call, HELLO, INITIALIZED, session } from './session.ts';

vi.setConfig({ testTimeout: 180_000 }); // several processes each, on whatever machine

const REFUSE = guard(
  'refuse',
  `export default defineHook({ on: 'tool.before', run: ({ payload }) => payload.tool.endsWith('__touch') ? { kind: 'deny', reason: 'never' } : undefined });`,
);

const touch = (id: unknown) => call(id, 'touch', { file: 'ran.txt' });

describe('from the client', () => {
  const spoken = async (...lines: readonly (string | object)[]) => {
    const at = ground(REFUSE);
    const proxy = session(at, ['--', ...program()]);
    proxy.send(HELLO);
    await proxy.answer(0);
    proxy.send(INITIALIZED, ...lines, call('last', 'echo', { still: 'here' }));
    expect(textOf((await proxy.answer('last'))['result'])).toBe('{"still":"here"}');
    return { at, proxy };
  };

  test('an invalid line from the client is reported and not forwarded, and the session continues', async () => {
    const lines = [
      'tools/call please',
      '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"touch"',
      '17',
      '[1, 2]',
      touch(null),
      JSON.stringify(touch('id')).replace('"id":"id"', '"id":12345678901234567890'),
      { jsonrpc: '2.0', id: 9 },
    ];
    const { at, proxy } = await spoken(...lines);
    const refused = proxy.came.filter(({ id }) => id === null);
    expect(refused.map(({ error }) => (error as { message: string }).message)).toEqual(
      lines.map(() => expect.stringContaining('not a JSON-RPC message') as string),
    );
    expect(at.has('ran.txt')).toBe(false);
  });

  test('an oversized line from the client is skipped and reported', async () => {
    const { proxy } = await spoken(
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","x":"${'y'.repeat(65 * 1024 * 1024)}"}`,
    );
    expect((await proxy.answer(null))['error']).toMatchObject({
      message: expect.stringContaining('larger than') as string,
    });
  });

  test('calls are judged in a batch, with a duplicate name and with a duplicate method', async () => {
    const twice = JSON.stringify(touch('b')).replace('"method"', '"method":"ping","method"');
    const hidden = JSON.stringify(touch('c')).replace(
      /"method":"tools\/call"/,
      '"method":"tools/call","method":"ping"',
    );
    const { at, proxy } = await spoken([touch('a')], twice, hidden);
    for (const id of ['a', 'b']) expect(textOf((await proxy.answer(id))['result'])).toContain('never');
    expect((await proxy.answer('c'))['result']).toEqual({}); // what went to the server was a ping
    expect(at.has('ran.txt')).toBe(false);
  });

  test('arguments that are not an object are refused', async () => {
    const { proxy } = await spoken(call('a', 'touch', ['ran.txt']), {
      ...touch('b'),
      params: { arguments: {} },
    });
    for (const id of ['a', 'b']) expect((await proxy.answer(id))['error']).toMatchObject({ code: -32_602 });
  });

  test('a duplicate request is answered once while the first one waits', async () => {
    const { proxy } = await spoken(call(5, 'echo'), call(5, 'echo'), {
      jsonrpc: '2.0',
      id: 6,
      method: 'ping',
    });
    await proxy.answer(6);
    await proxy.answer(5);
    expect(proxy.came.filter(({ id }) => id === 5)).toHaveLength(1);
    await vi.waitFor(() => expect(proxy.stderr()).toContain('under an id that waits'), PATIENT);
  });

  test('an id can be reused after its answer, and a number and a string are different ids', async () => {
    const { proxy } = await spoken(call(1, 'echo', { n: 1 }), call('1', 'echo', { n: 2 }));
    expect([textOf((await proxy.answer(1))['result']), textOf((await proxy.answer('1'))['result'])]).toEqual([
      '{"n":1}',
      '{"n":2}',
    ]);
  });

  test('a cancellation while hooks run prevents the call', async () => {
    const at = ground(
      guard(
        'slow',
        `import { existsSync } from 'node:fs';
      export default defineHook({ on: 'tool.before', async run({ payload }) { if (payload.tool.endsWith('touch')) while (!existsSync('go')) await new Promise((r) => setTimeout(r, 20)); } });`,
      ),
    );
    const proxy = session(at, ['--', ...program()]);
    proxy.send(HELLO);
    await proxy.answer(0);
    proxy.send(INITIALIZED, touch(1), {
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: 1 },
    });
    proxy.send({ jsonrpc: '2.0', id: 2, method: 'ping' });
    await proxy.answer(2);
    at.put('project/go', '');
    proxy.send(call(3, 'echo'));
    await proxy.answer(3);
    expect([at.has('ran.txt'), proxy.came.some(({ id }) => id === 1)]).toEqual([false, false]);
  });

  test('pending requests are answered before the proxy exits at the end of input', async () => {
    const at = ground();
    const proxy = session(at, ['--', ...program()]);
    proxy.send(HELLO, INITIALIZED, touch(1));
    proxy.child.stdin.end();
    expect(textOf((await proxy.answer(1))['result'])).toBe('touched ran.txt');
    expect(await proxy.ended).toBe(0);
  });

  test('the server ends when the client is gone, whatever it was doing', async () => {
    const at = ground();
    const code = `require('fs').writeFileSync('pid', String(process.pid)); process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)`;
    const proxy = session(at, ['--', process.execPath, '-e', code]);
    await vi.waitFor(() => expect(at.has('pid')).toBe(true), PATIENT);
    proxy.child.kill('SIGKILL');
    const pid = Number(at.read('pid'));
    await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow('ESRCH'), PATIENT);
  });

  test('a termination signal ends the proxy and the server', async () => {
    const proxy = session(ground(), ['--', ...program()]);
    proxy.send(HELLO);
    await proxy.answer(0);
    proxy.child.kill('SIGTERM');
    expect(await proxy.ended).toBe(143);
  });
});

describe('from the server', () => {
  test('an invalid line from the server is reported and skipped, and the session continues', async () => {
    const at = ground();
    const transport = proxied(at, ['--', ...program('noisy')]);
    let said = '';
    transport.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
    const { client } = await connected(transport);
    expect(textOf(await client.callTool({ name: 'echo', arguments: {} }, undefined, PATIENT))).toBe('{}');
    expect(said).toContain('the server printed an invalid message: listening on stdio');
  });

  test('partial messages are joined, and duplicate answers arrive once', async () => {
    const at = ground(
      guard(
        'redact',
        `export default defineHook({ on: 'tool.after', run: () => ({ kind: 'set', at: ['content'], to: [{ type: 'text', text: 'redacted' }] }) });`,
      ),
    );
    for (const how of ['in-pieces', 'answers-twice']) {
      const proxy = session(at, ['--', ...program(how)]);
      proxy.send(HELLO);
      await proxy.answer(0);
      proxy.send(
        INITIALIZED,
        call(1, 'echo', { text: 'ünï' }),
        { jsonrpc: '2.0', id: 2, method: 'ping' },
        call(3, 'echo'),
      );
      await proxy.answer(3);
      expect(proxy.came.filter(({ id }) => id === 1).map(({ result }) => textOf(result))).toEqual([
        'redacted',
      ]);
      expect(JSON.stringify(proxy.came)).not.toContain('ünï');
    }
  });

  test('answers in another order than the calls are matched to their calls and hooks', async () => {
    const at = ground({
      ...REFUSE,
      ...guard(
        'redact',
        `export default defineHook({ on: 'tool.after', run: ({ payload }) => payload.input.text === 'secret' ? { kind: 'set', at: ['content'], to: [{ type: 'text', text: 'redacted' }] } : undefined });`,
      ),
    });
    const proxy = session(at, ['--', ...program('backwards')]);
    proxy.send(HELLO);
    await proxy.answer(0);
    proxy.send(
      INITIALIZED,
      call(1, 'echo', { text: 'one' }),
      call('1', 'echo', { text: 'secret' }),
      touch(2),
      call(3, 'echo', { text: 'three' }),
    );
    await Promise.all([1, '1', 2, 3].map(proxy.answer));
    const answers = proxy.came
      .filter(({ id }) => id !== 0)
      .map(({ id, result }) => [id, textOf(result)] as const);
    expect(new Map(answers)).toEqual(
      new Map<unknown, unknown>([
        [1, '{"text":"one"}'],
        ['1', 'redacted'],
        [2, expect.stringContaining('never')],
        [3, '{"text":"three"}'],
      ]),
    );
    expect(at.has('ran.txt')).toBe(false);
  });

  test.each([
    ['dies in mid-call', program(), /the MCP server ended \(exit 3\)/, 3],
    ['ends within a message', program('cuts'), /the MCP server ended \(exit 4\)/, 4],
    ['sends more than a message may have', program('huge'), /the MCP server sent a message of \d+ bytes/, 1],
  ])(
    'one that %s: every request is answered with that word, and the proxy ends as it did',
    async (_, server, word, code) => {
      const at = ground(REFUSE);
      const proxy = session(at, ['--', ...server]);
      proxy.send(HELLO, INITIALIZED, call(1, 'die'));
      expect((await proxy.answer(1))['error']).toMatchObject({
        code: -32_000,
        message: expect.stringMatching(word) as string,
      });
      expect(await proxy.ended).toBe(code);
      expect(proxy.stderr()).toMatch(word);
    },
  );

  test('the proxy reports a server that cannot be started, and exits', async () => {
    const proxy = session(ground(), ['--', 'no-such-program']);
    expect(await proxy.ended).toBe(127);
    expect(proxy.stderr()).toMatch(/the MCP server could not be started: .*ENOENT/);
  });

  test('an address that does not answer, needs a login or disconnects is reported in the answer', async () => {
    const at = ground();
    const message = async (words: readonly string[], id: number, ...lines: object[]) => {
      const proxy = session(at, words);
      proxy.send(HELLO, ...lines);
      return ((await proxy.answer(id))['error'] as { message: string }).message;
    };
    expect(await message(['--http', 'http://127.0.0.1:9/mcp'], 0)).toMatch(
      /could not answer: .*(?:ECONNREFUSED|bad port)/,
    );
    expect(await message(['--http', await served(at)], 0)).toMatch(/requires a login \(401\): .*--header/);
    const proxy = session(at, ['--http', await served(at), '--header', 'Authorization: Bearer good']);
    proxy.send(HELLO);
    await proxy.answer(0);
    proxy.send(INITIALIZED, call(1, 'die'));
    expect((await proxy.answer(1))['error']).toMatchObject({
      message: expect.stringContaining('could not answer') as string,
    });
  });
});

describe('requests to the user', () => {
  test.each([
    [[], 'which server?'],
    [['--http', 'http://x', '--', 'node'], 'not both'],
    [['--http', 'ftp://x'], 'not an http or https address'],
    [['--http', 'http://x', '--header', 'nonsense'], 'a header is "Name: value"'],
    [['--header', 'A: b', '--', 'node'], '--header is for --http'],
    [['--cwd', '/no/such', '--', 'node'], 'no such folder'],
  ])('%j is wrong use: %s', async (words, said) => {
    const child = spawn(process.execPath, [BIN, 'mcp', ...words], { env: ground().env });
    let text = '';
    child.stderr.on('data', (chunk: Buffer) => (text += chunk.toString()));
    const [code] = (await once(child, 'close')) as [number];
    expect([code, text]).toEqual([2, expect.stringContaining(said)]);
  });

  test('unreadable hooks are reported, and calls they may guard are refused', async () => {
    const at = ground({ '.config/anyhook/hooks/broken.mjs': 'export default {{{' });
    const transport = proxied(at, ['--', ...program()]);
    let said = '';
    transport.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
    const { client } = await connected(transport);
    const result = await client.callTool(
      { name: 'touch', arguments: { file: 'ran.txt' } },
      undefined,
      PATIENT,
    );
    expect([at.has('ran.txt'), textOf(result), said]).toEqual([
      false,
      expect.stringContaining('broken.mjs'),
      expect.stringContaining('broken.mjs'),
    ]);
  });
});
