/** `anyhook serve` as another program sees it: a real process, real hooks, real sockets. */

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ownProgramFile } from '../own-files.mjs';

const CLI = ownProgramFile('bin/anyhook').replace(/\.js$/, '.cjs');
const DEADLINE = 60_000;
const CAN = { 'tool.before': { deny: 'full', ask: 'full', set: 'full', context: 'full' } };
const GUARD = {
  hooks: { 'tool.before': [{ name: 'no-rm', match: 'shell(rm -rf*)', run: 'echo "not that" >&2; exit 2' }] },
};

interface Answer {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly message: string; readonly data: { readonly code: string } };
}

let root = '';
const servers: ChildProcessWithoutNullStreams[] = [];
const path = (...names: string[]) => join(root, ...names);
function put(file: string, content: unknown): void {
  mkdirSync(dirname(path(file)), { recursive: true });
  writeFileSync(path(file), typeof content === 'string' ? content : JSON.stringify(content));
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'ah-serve-'));
  put('home/.config/anyhook/hooks.json', GUARD);
  mkdirSync(path('project'));
});
afterEach(() => {
  for (const server of servers.splice(0)) server.kill('SIGKILL');
  rmSync(root, { recursive: true, force: true });
});

/** Starts a server. `ask` sends a request and waits for its answer; `heard` holds everything that it wrote. */
function serve(args: readonly string[] = [], env: NodeJS.ProcessEnv = {}) {
  const child = spawn(process.execPath, [CLI, 'serve', ...args], {
    cwd: path('project'),
    env: { PATH: process.env['PATH'], HOME: path('home'), ...env },
  });
  servers.push(child);
  const heard: Answer[] = [];
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  createInterface({ input: child.stdout }).on('line', (line) => heard.push(JSON.parse(line) as Answer));
  child.stdin.on('error', () => {}); // a server that was killed
  let last = 0;
  const until = async (wanted: (answer: Answer) => boolean): Promise<Answer> => {
    for (;;) {
      const found = heard.find(wanted);
      if (found !== undefined) return found;
      await pause(10);
    }
  };
  const write = (text: string) => child.stdin.write(text);
  const ask = (method: string, params: unknown, id: string | number = ++last): Promise<Answer> => {
    write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    return until((answer) => answer.id === id);
  };
  return { child, heard, ended, until, write, ask };
}
const opening = (more: object = {}) => ({ protocol: 1, host: { name: 'my-agent', can: CAN }, ...more });
const call = (command: string, session = 's1') => ({
  session,
  event: 'tool.before',
  payload: { tool: 'shell', input: { command } },
});

test(
  'a program opens hooks, fires an event and gets the outcome',
  async () => {
    const { ask, child, ended } = serve();
    const { result } = await ask('open', opening());
    expect(result).toMatchObject({ protocol: 1, session: 's1', wants: ['tool.before'], problems: [] });
    expect(result!['hooks']).toContainEqual(
      expect.objectContaining({ name: 'no-rm', on: 'tool.before', matcher: 'shell(rm -rf*)', layer: 'user' }),
    );
    const refused = await ask('fire', call('rm -rf build'));
    expect(refused.result).toMatchObject({
      allowed: false,
      proceed: 'no',
      reason: 'not that',
      verdict: 'deny',
    });
    const passed = await ask('fire', call('ls'));
    expect(passed.result).toMatchObject({
      allowed: true,
      proceed: 'yes',
      payload: { input: { command: 'ls' } },
    });
    child.stdin.end();
    expect(await ended).toBe(0);
  },
  DEADLINE,
);

test(
  'requests that are written at once and followed by the end of the input are all answered',
  async () => {
    const { write, child, heard, ended } = serve();
    write(`${JSON.stringify({ jsonrpc: '2.0', id: 'open', method: 'open', params: opening() })}\n`);
    await pause(0);
    for (let id = 0; id < 400; id++)
      write(`${JSON.stringify({ jsonrpc: '2.0', id, method: 'fire', params: call('ls', 'none') })}\n`);
    child.stdin.end();
    expect(await ended).toBe(0);
    expect(heard).toHaveLength(401);
  },
  DEADLINE,
);

test(
  'a changed settings file counts at the next event, and is announced',
  async () => {
    const { ask, until } = serve();
    await ask('open', opening());
    expect((await ask('fire', call('git push'))).result).toMatchObject({ proceed: 'yes' });
    put('home/.config/anyhook/hooks.json', {
      hooks: { 'tool.before': [{ name: 'no-push', match: 'shell(git push*)', run: 'exit 2' }] },
    });
    expect((await ask('fire', call('git push'))).result).toMatchObject({ proceed: 'no' });
    const changed = await until(({ method }) => method === 'changed');
    expect(changed.params).toMatchObject({ session: 's1', wants: ['tool.before'] });
    expect(JSON.stringify(changed.params)).toContain('no-push');
  },
  DEADLINE,
);

test(
  'two hundred sessions with different homes and environments do not mix',
  async () => {
    const { ask } = serve();
    const many = Array.from({ length: 200 }, (_, at) => at);
    for (const at of many)
      put(`homes/${at}/.config/anyhook/hooks.json`, {
        hooks: {
          'tool.before': [{ name: 'who', match: 'shell', run: `echo "${at} $TENANT $HOME" >&2; exit 2` }],
        },
      });
    const opened = await Promise.all(
      many.map((at) =>
        ask(
          'open',
          opening({
            home: path('homes', `${at}`),
            env: { PATH: process.env['PATH'], TENANT: `t${at}` },
            watch: false,
          }),
        ),
      ),
    );
    const answers = await Promise.all(
      opened.map(({ result }) => ask('fire', call('ls', result!['session'] as string))),
    );
    expect(answers.map(({ result }) => result!['reason'])).toEqual(
      many.map((at) => `${at} t${at} ${path('homes', `${at}`)}`),
    );
  },
  DEADLINE * 2,
);

test(
  'a module runs in a process of its own, with the environment of its session',
  async () => {
    put('home/.config/anyhook/hooks.json', {});
    put(
      'home/.config/anyhook/hooks/tenant.mjs',
      `import { defineHook, deny } from 'anyhook';
console.log('printed by a module');
export default defineHook({ on: 'tool.before', run: () => deny(String(process.env.TENANT)) });`,
    );
    const { ask, heard } = serve();
    for (const [session, tenant] of [
      ['s1', 'one'],
      ['s2', 'two'],
    ] as const) {
      await ask('open', opening({ env: { PATH: process.env['PATH'], HOME: path('home'), TENANT: tenant } }));
      expect((await ask('fire', call('ls', session))).result).toMatchObject({
        proceed: 'no',
        reason: tenant,
      });
    }
    expect(heard.every(({ id, method }) => id !== undefined || method !== undefined)).toBe(true);
  },
  DEADLINE,
);

test(
  'a cancelled request is answered, aborted and not allowed',
  async () => {
    put('home/.config/anyhook/hooks.json', {
      hooks: { 'tool.before': [{ match: 'shell', run: `touch ${path('began')}; sleep 60` }] },
    });
    const { ask, write } = serve();
    await ask('open', opening());
    const answer = ask('fire', call('ls'), 'slow');
    while (statSync(path('began'), { throwIfNoEntry: false }) === undefined) await pause(10);
    write(`${JSON.stringify({ jsonrpc: '2.0', method: 'cancel', params: { id: 'slow' } })}\n`);
    expect((await answer).result).toMatchObject({ allowed: false, proceed: 'no', aborted: true });
  },
  DEADLINE,
);

test.each([
  ['text that is not JSON', 'nonsense', null, 'not-json', 'A line is not JSON. Send one message per line.'],
  ['a message without a method', '{"jsonrpc":"2.0","id":7}', 7, 'not-a-request', 'method is missing'],
  [
    'an unknown method',
    '{"jsonrpc":"2.0","id":7,"method":"opn"}',
    7,
    'unknown-method',
    'Unknown method "opn"',
  ],
  [
    'an unknown session',
    '{"jsonrpc":"2.0","id":7,"method":"close","params":{"session":"s9"}}',
    7,
    'unknown-session',
    'No session "s9" is open. Send open first.',
  ],
  [
    'another protocol version',
    '{"jsonrpc":"2.0","id":7,"method":"open","params":{"protocol":2,"host":{"name":"a","can":{}}}}',
    7,
    'unsupported-protocol',
    'speaks version 1 of this protocol, not 2',
  ],
  [
    'a misspelt key',
    '{"jsonrpc":"2.0","id":7,"method":"fire","params":{"session":"s1","event":"tool.before","paylod":{}}}',
    7,
    'wrong-params',
    'fire: unknown key "paylod"; did you mean "payload"?',
  ],
  [
    'an option that createHooks refuses',
    '{"jsonrpc":"2.0","id":7,"method":"open","params":{"protocol":1,"host":{"name":"a","can":{}},"limits":{"budgetMs":-1}}}',
    7,
    'wrong-params',
    'limits.budgetMs',
  ],
])(
  '%s is an error that says what is wrong, and the next request is answered',
  async (_, line, id, code, message) => {
    const { ask, write, until } = serve();
    write(`${line}\n`);
    const { error } = await until((answer) => answer.id === id);
    expect(error!.data.code).toBe(code);
    expect(error!.message).toContain(message);
    expect((await ask('open', opening(), 'next')).result).toMatchObject({ session: 's1' });
  },
  DEADLINE,
);

test(
  'an unknown event is an error with the nearest name',
  async () => {
    const { ask } = serve();
    await ask('open', opening());
    const { error } = await ask('fire', { ...call('ls'), event: 'tool.befor' });
    expect(error).toMatchObject({ data: { code: 'wrong-params' } });
    expect(error!.message).toContain('Did you mean "tool.before"?');
  },
  DEADLINE,
);

test(
  'a line of more than 64 MiB is refused, and the next request is answered',
  async () => {
    const { ask, write, until } = serve();
    const piece = 'x'.repeat(1024 * 1024);
    for (let i = 0; i < 65; i++) write(piece);
    write('\n');
    expect((await until(({ id }) => id === null)).error!.data.code).toBe('too-large');
    expect((await ask('open', opening())).result).toMatchObject({ session: 's1' });
  },
  DEADLINE,
);

test(
  'a client that never reads its answers does not make the server read on',
  async () => {
    const { child, ask } = serve();
    await ask('open', opening({ watch: false }));
    child.stdout.pause();
    const padding = 'x'.repeat(100_000);
    const line = `${JSON.stringify({ jsonrpc: '2.0', id: 9, method: 'fire', params: { ...call('ls'), payload: { tool: 'shell', input: { command: 'ls', padding } } } })}\n`;
    let accepted = 0;
    for (let i = 0; i < 5000 && child.stdin.writableLength < 4 * 1024 * 1024; i++) {
      child.stdin.write(line);
      if (i % 50 === 49) await pause(20);
      accepted = i;
    }
    expect(accepted).toBeLessThan(4999);
  },
  DEADLINE,
);

test(
  'an incomplete last line is reported',
  async () => {
    const { write, child, heard, ended } = serve();
    write('{"jsonrpc":"2.0"');
    child.stdin.end();
    expect(await ended).toBe(0);
    expect(heard[0]!.error!.message).toContain('does not end with a newline');
  },
  DEADLINE,
);

test(
  'hooks of a host that is gone are stopped',
  async () => {
    put('home/.config/anyhook/hooks.json', {
      hooks: { 'tool.before': [{ match: 'shell', run: `echo $$ > ${path('pid')}; sleep 600` }] },
    });
    const { child, ask, ended } = serve();
    await ask('open', opening());
    void ask('fire', call('ls'));
    while (statSync(path('pid'), { throwIfNoEntry: false }) === undefined) await pause(10);
    child.stdout.destroy();
    child.stdin.write('{"jsonrpc":"2.0","id":99,"method":"opn"}\n'); // the answer finds nobody
    child.stdin.end();
    expect(await ended).toBe(0);
  },
  DEADLINE,
);

test.skipIf(process.platform === 'win32')(
  'a socket serves several clients, belongs to the user alone and replaces one that was left behind',
  async () => {
    const socket = path('s');
    const first = serve(['--socket', socket]);
    while (statSync(socket, { throwIfNoEntry: false }) === undefined) await pause(10);
    expect(statSync(socket).mode & 0o077).toBe(0);
    const answers = await Promise.all([1, 2].map(() => openOver(socket)));
    expect(answers.map(({ result }) => result!['session'])).toEqual(['s1', 's1']);

    const second = serve(['--socket', socket]);
    expect(await second.ended).toBe(2);
    first.child.kill('SIGKILL');
    await first.ended;
    serve(['--socket', socket]);
    let third: Answer | undefined;
    while (third === undefined) third = await openOver(socket).catch(() => pause(20).then(() => undefined));
    expect(third.result).toMatchObject({ session: 's1' });
  },
  DEADLINE,
);

function openOver(socket: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const client = connect(socket);
    client.on('error', reject);
    client.once('data', (line) => {
      resolve(JSON.parse(line.toString()) as Answer);
      client.destroy();
    });
    client.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'open', params: opening() })}\n`);
  });
}

test(
  'over HTTP only a request with the token and without an origin is answered',
  async () => {
    const { until, child, ended } = serve(['--http']);
    const { url, token } = (await until((line) => 'url' in line)) as unknown as {
      url: string;
      token: string;
    };
    const open = { jsonrpc: '2.0', id: 1, method: 'open', params: opening() };
    const bearer = { authorization: `Bearer ${token}` };
    expect((await post(url, open, {})).status).toBe(401);
    expect((await post(url, open, { authorization: 'Bearer wrong' })).status).toBe(401);
    expect((await post(url, open, { ...bearer, origin: 'http://evil.example' })).status).toBe(403);
    expect((await post(url, open, { ...bearer, host: 'evil.example' })).status).toBe(421);
    const opened = await post(url, open, bearer);
    expect(opened).toMatchObject({ status: 200, value: { result: { session: 's1' } } });
    const fired = await post(
      url,
      { jsonrpc: '2.0', id: 2, method: 'fire', params: call('rm -rf x') },
      bearer,
    );
    expect(fired.value.result).toMatchObject({ proceed: 'no' });
    expect((await post(url, 'nonsense', bearer)).value.error!.data.code).toBe('not-json');
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
  },
  DEADLINE,
);

function post(url: string, body: unknown, headers: Record<string, string>) {
  return new Promise<{ status: number; value: Answer }>((resolve, reject) => {
    const request = httpRequest(url, { method: 'POST', headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () => resolve({ status: response.statusCode!, value: JSON.parse(text) as Answer }));
    });
    request.on('error', reject);
    request.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
}

test('wrong options of anyhook serve are explained', async () => {
  const both = serve(['--socket', path('s'), '--http']);
  let stderr = '';
  both.child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  expect(await both.ended).toBe(2);
  expect(stderr).toContain('--socket and --http exclude each other');
});
