/** Published OpenCode plugins from npm, unchanged. */

import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { lacks } from '../../../../test/programs.mjs';
import { scratch } from './fixtures/scratch.ts';

const ground = scratch();
const before = { ...process.env };
afterAll(() => {
  ground.remove();
  for (const name of ['PATH', 'WAKATIME_HOME', 'HOME']) process.env[name] = before[name];
});
const HERE = fileURLToPath(new URL('.', import.meta.url));

/** The packages are installed in the repository, not in the scratch folder. */
const load = (name: string) => ground.load([name], { directory: HERE, worktree: ground.root });

describe('opencode-openai-codex-auth', () => {
  test('opencode-openai-codex-auth offers three logins and starts one: a URL with a challenge, and a code', async () => {
    const plugins = await load('opencode-openai-codex-auth');
    expect(plugins.problems).toEqual([]);
    const [auth] = plugins.offers.auth;
    expect([auth?.provider, auth?.methods.map(({ kind }) => kind)]).toEqual([
      'openai',
      ['oauth', 'oauth', 'api'],
    ]);
    const started = await auth!.methods[1]!.start!({});
    const url = new URL(started.url);
    expect([url.origin, url.pathname, started.way]).toEqual([
      'https://auth.openai.com',
      '/oauth/authorize',
      'code',
    ]);
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/) as string,
    });
    expect(await started.finish('')).toBeUndefined();
  });

  test('opencode-openai-codex-auth creates options with its own fetch from a stored login', async () => {
    process.env['HOME'] = ground.home;
    const plugins = await load('opencode-openai-codex-auth');
    const claims = { 'https://api.openai.com/auth': { chatgpt_account_id: 'acc_1' } };
    const access = `x.${Buffer.from(JSON.stringify(claims)).toString('base64')}.y`;
    const credential = { type: 'oauth', refresh: 'r', access, expires: Date.now() + 1e6 } as const;
    const options = await plugins.offers.auth[0]!.load!(async () => credential, { models: {} });
    expect(options).toMatchObject({ baseURL: 'https://chatgpt.com/backend-api' });
    expect(typeof options['fetch']).toBe('function');
    expect(await plugins.offers.auth[0]!.load!(async () => ({ type: 'api', key: 'k' }), {})).toEqual({});
  });
});

describe.skipIf(lacks('which'))('opencode-wakatime', () => {
  test('opencode-wakatime counts the lines of an edit and reports them when the session is idle', async () => {
    const ran = join(ground.root, 'ran');
    const cli = ground.write(
      'bin/wakatime-cli',
      `#!/bin/sh\nprintf '%s\\n' "$@" > "${ran}.new"; mv "${ran}.new" "${ran}"\n`,
    );
    chmodSync(cli, 0o755);
    process.env['PATH'] = `${join(ground.root, 'bin')}:${before['PATH']}`;
    process.env['WAKATIME_HOME'] = ground.home;
    const plugins = await load('opencode-wakatime');
    expect(plugins.problems).toEqual([]);
    const file = ground.write('edited.ts', '');
    const state = {
      status: 'completed',
      title: '',
      output: '',
      metadata: { filediff: { file, additions: 5, deletions: 2 } },
    };
    const part = { type: 'tool', tool: 'edit', callID: 'call_1', state };
    plugins.publish({ type: 'message.part.updated', properties: { part } });
    plugins.publish({ type: 'session.idle', properties: { sessionID: 's' } });
    await expect.poll(() => existsSync(ran), { timeout: 20_000 }).toBe(true);
    const args = readFileSync(ran, 'utf8').split('\n');
    const valueOf = (name: string) => args[args.indexOf(name) + 1];
    expect([valueOf('--entity'), valueOf('--ai-line-changes'), valueOf('--project-folder')]).toEqual([
      file,
      '3',
      ground.root,
    ]);
    expect(await plugins.trigger('chat.message', { sessionID: 's' }, { parts: [] })).toEqual({ parts: [] });
    expect(plugins.problems).toEqual([]);
  });
});

describe('opencode-anthropic-auth', () => {
  test('opencode-anthropic-auth offers its logins and starts each: the right page, a challenge, and a code', async () => {
    const plugins = await load('opencode-anthropic-auth');
    expect(plugins.problems).toEqual([]);
    const [auth] = plugins.offers.auth;
    expect([auth?.provider, auth?.methods.map(({ kind, label }) => [kind, label])]).toEqual([
      'anthropic',
      [
        ['oauth', 'Claude Pro/Max'],
        ['oauth', 'Create an API Key'],
        ['api', 'Manually enter API Key'],
      ],
    ]);
    const started = await Promise.all([0, 1].map((at) => auth!.methods[at]!.start!({})));
    const urls = started.map(({ url }) => new URL(url));
    expect(urls.map(({ origin, pathname }) => origin + pathname)).toEqual([
      'https://claude.ai/oauth/authorize',
      'https://console.anthropic.com/oauth/authorize',
    ]);
    expect(started.map(({ way }) => way)).toEqual(['code', 'code']);
    for (const { searchParams } of urls)
      expect(Object.fromEntries(searchParams)).toMatchObject({
        response_type: 'code',
        code_challenge_method: 'S256',
        code_challenge: expect.stringMatching(/^[\w-]{43}$/) as string,
      });
  });

  test('opencode-anthropic-auth signs requests, renames tools in both directions, and keeps keys', async () => {
    const plugins = await load('opencode-anthropic-auth');
    const [auth] = plugins.offers.auth;
    const heard: { url?: string; headers?: IncomingHttpHeaders; body?: unknown } = {};
    const server = createServer(async (request, response) => {
      heard.url = request.url ?? '';
      heard.headers = request.headers;
      heard.body = JSON.parse(await textOf(request));
      response.end('{"type":"tool_use","name":"mcp_bash"}');
    });
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
    const { port } = server.address() as AddressInfo;
    const credential = { type: 'oauth', refresh: 'r', access: 'token-1', expires: Date.now() + 1e6 } as const;
    const options = await auth!.load!(async () => credential, { models: { m: {} } });
    expect(options['apiKey']).toBe('');
    const send = options['fetch'] as typeof fetch;
    const answer = await send(`http://127.0.0.1:${port}/v1/messages`, {
      method: 'POST',
      headers: { 'x-api-key': 'k', 'anthropic-beta': 'mine' },
      body: JSON.stringify({ tools: [{ name: 'bash' }] }),
    });
    expect(await answer.text()).toBe('{"type":"tool_use","name": "bash"}');
    server.close();
    expect([heard.url, heard.body]).toEqual(['/v1/messages?beta=true', { tools: [{ name: 'mcp_bash' }] }]);
    expect(heard.headers).toMatchObject({
      authorization: 'Bearer token-1',
      'anthropic-beta': 'oauth-2025-04-20,interleaved-thinking-2025-05-14,mine',
    });
    expect(heard.headers).not.toHaveProperty('x-api-key');
    expect(await auth!.load!(async () => ({ type: 'api', key: 'k' }), { models: {} })).toEqual({});
  });

  test('opencode-anthropic-auth adds a line to the system prompt of its own provider only', async () => {
    const plugins = await load('opencode-anthropic-auth');
    const hook = 'experimental.chat.system.transform';
    const told = async (providerID: string) =>
      (await plugins.trigger(hook, { model: { providerID } }, { system: ['Be brief.'] })).system;
    expect(await told('acme')).toEqual(['Be brief.']);
    const [first, second] = await told('anthropic');
    expect([typeof first, second]).toEqual(['string', `${first}\n\nBe brief.`]);
  });
});

async function textOf(stream: AsyncIterable<unknown>): Promise<string> {
  let text = '';
  for await (const chunk of stream) text += String(chunk);
  return text;
}
