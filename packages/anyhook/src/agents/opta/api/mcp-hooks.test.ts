/** V4: hooks of a running MCP server, over stdio, through the official SDK. */

import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterEach, describe, expect, test } from 'vitest';
import { ground, hooksIn, trusting } from './fixtures/scratch.ts';
import { hooksFromServer } from './index.ts';

const SERVER = fileURLToPath(new URL('./fixtures/mcp-server.mjs', import.meta.url));
const clients: Client[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
});
async function serving(what: string): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [SERVER, what] }));
  clients.push(client);
  return client;
}
const from = async (what: string) => hooksFromServer(await serving(what), { name: 'guards' });

const FILE = 'mcp://guards/hooks://opta';
const TEXT = JSON.stringify({
  hooks: [{ event: 'tool.pre', matcher: 'run_command', command: 'echo "says the server" >&2; exit 1' }],
});
const call = { name: 'tool.before', payload: { tool: 'run_command', input: {} } } as const;

describe("a server's resource hooks://opta", () => {
  test('the resource hooks://opta is read', async () => {
    expect(await from(TEXT)).toEqual({
      sources: [{ dialect: 'opta', text: TEXT, place: { layer: 'project', file: FILE } }],
      problems: [],
    });
  });

  test('hooks of a server wait for trust like project hooks, are listed with their source, and run after they are trusted', async () => {
    const { home, cwd } = ground();
    const { sources } = await from(TEXT);
    const before = await hooksIn({ home, cwd, settings: { sources } });
    expect((await before.fire(call)).runs.map(({ skipped }) => skipped)).toEqual(['not trusted']);
    expect(before.problems).toMatchObject([{ code: 'not-trusted', file: FILE, line: 1 }]);
    const after = await trusting({ home, cwd, settings: { sources } });
    expect(after.hooks.map(({ id, origin }) => [id, origin.file])).toEqual([[`opta:${FILE}#1`, FILE]]);
    expect((await after.fire(call)).reasons).toEqual([{ by: `opta:${FILE}#1`, text: 'says the server' }]);
  });

  test('hooks of a server need trust again after a change', async () => {
    const { home, cwd } = ground();
    const trusted = await trusting({ home, cwd, settings: { sources: (await from(TEXT)).sources } });
    const hashes = trusted.examined.map(({ judgement }) => judgement.hash);
    const { sources } = await from(TEXT.replace('says the server', 'now it does something else'));
    const hooks = await hooksIn({ home, cwd, settings: { sources }, trust: { hashes } });
    expect((await hooks.fire(call)).runs.map(({ skipped }) => skipped)).toEqual(['not trusted']);
  });

  test('invalid hooks of a server are problems at their location, and the rest loads', async () => {
    const { home, cwd } = ground();
    const { sources } = await from(
      '{"hooks":[{"event":"tool.per","command":"x"},{"event":"error","command":"true"}]}',
    );
    const hooks = await trusting({ home, cwd, settings: { sources } });
    expect(hooks.problems).toMatchObject([{ code: 'unknown-event', file: FILE, line: 1, column: 20 }]);
    expect(hooks.hooks.map(({ on }) => on)).toEqual(['error']);
  });
});

describe('a server', () => {
  test.each(['--none', '--other'])(
    'a server without the resource has no hooks and no problem (%s)',
    async (what) => {
      expect(await from(what)).toEqual({ sources: [], problems: [] });
    },
  );

  test.each([
    ['--blob', /contains something that is not text/],
    ['--broken', /cannot be read: .*the disk is gone/],
  ])('a server whose resource cannot be read is a problem (%s)', async (what, message) => {
    expect(await from(what)).toEqual({
      sources: [],
      problems: [
        {
          code: 'file-unreadable',
          file: FILE,
          message: expect.stringMatching(message),
          remedy: 'Its hooks do not run. Look at the server.',
          severity: 'error',
        },
      ],
    });
  });

  test('a server that has ended is a problem, and nothing rejects', async () => {
    const client = await serving(TEXT);
    await client.close();
    const { sources, problems } = await hooksFromServer(client, { name: 'guards' });
    expect([sources, problems.map(({ code }) => code)]).toEqual([[], ['file-unreadable']]);
  });
});

test('a source with an unknown dialect is a problem', async () => {
  const { home, cwd } = ground();
  const place = { layer: 'project', file: 'somewhere' } as const;
  const hooks = await hooksIn({
    home,
    cwd,
    settings: { sources: [{ dialect: 'optal', text: '{}', place }] },
  });
  expect(hooks.problems).toMatchObject([{ code: 'unknown-dialect', file: 'somewhere', severity: 'error' }]);
});
