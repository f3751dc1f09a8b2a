/**
 * The reference server of the protocol's own project, over both transports. Skipped if it is not installed.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { McpServer } from '../../events/hook.ts';
import { NEVER } from '../../events/signal.ts';
import { type McpRunner, openMcpRunner } from './index.ts';

const INSTALLED = join(
  import.meta.dirname,
  '../../../../../node_modules/@modelcontextprotocol/server-everything/dist/index.js',
);
const SERVER = process.env['ANYHOOK_EVERYTHING'] ?? INSTALLED;
const isThere = existsSync(SERVER);

let http: ChildProcess | undefined;
let url = '';
let runner: McpRunner;
beforeAll(async () => {
  runner = openMcpRunner();
  if (!isThere) return;
  const port = await freePort();
  url = `http://127.0.0.1:${port}/mcp`;
  http = spawn(process.execPath, [SERVER, 'streamableHttp'], {
    env: { ...process.env, PORT: String(port) },
    stdio: 'ignore',
  });
  await until(async () => (await fetch(url, { method: 'DELETE' })).status > 0);
});
afterAll(async () => {
  await runner.close();
  if (http?.exitCode === null) {
    const ended = once(http, 'exit');
    http.kill('SIGKILL');
    await ended;
  }
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
async function until(holds: () => Promise<boolean>): Promise<void> {
  for (const due = Date.now() + 20_000; ;) {
    if (await holds().catch(() => false)) return;
    if (Date.now() > due) throw new Error('the server does not listen');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const ask = (server: McpServer, tool: string, args: object, timeoutMs = 20_000) =>
  runner.run(
    { kind: 'mcp', server, tool },
    { kind: 'send', body: JSON.stringify(args) },
    { timeoutMs, signal: NEVER },
  );

describe.skipIf(!isThere).each([
  ['stdio', (): McpServer => ({ command: process.execPath, args: [SERVER, 'stdio'] })],
  ['streamable HTTP', (): McpServer => ({ url })],
])('server-everything over %s', (_, server) => {
  test('answers with text', async () => {
    expect(await ask(server(), 'echo', { message: 'hi' })).toEqual({
      kind: 'answered',
      status: 200,
      body: 'Echo: hi',
    });
  });
  test('answers with structured content besides its text, and with parts that are not text', async () => {
    const structured = await ask(server(), 'get-structured-content', { location: 'New York' });
    expect(structured.kind).toBe('answered');
    const image = await ask(server(), 'get-tiny-image', {});
    expect(image).toMatchObject({ kind: 'answered', body: expect.not.stringContaining('base64') as string });
  });
  test('a long operation is abandoned at the deadline', async () => {
    const long = { duration: 30, steps: 3 };
    expect(await ask(server(), 'trigger-long-running-operation', long, 1_000)).toEqual({
      kind: 'broken',
      why: { kind: 'timed-out' },
    });
    expect((await ask(server(), 'echo', { message: 'again' })).kind).toBe('answered');
  });
  test('reports an unknown tool and invalid arguments', async () => {
    expect(await ask(server(), 'ecko', {})).toMatchObject({
      why: { kind: 'unavailable', detail: expect.stringContaining("did you mean 'echo'?") as string },
    });
    expect(await ask(server(), 'echo', { message: 7 })).toMatchObject({ why: { kind: 'failed' } });
  });
});
