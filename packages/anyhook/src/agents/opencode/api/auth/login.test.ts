import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OAuth2Server } from 'oauth2-mock-server';
import codexAuth from 'opencode-openai-codex-auth';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { AuthHook } from '../types/index.ts';
import { loopbackAuth } from './fixtures/loopback-auth.ts';
import { person } from './fixtures/person.ts';
import { login } from './login.ts';
import { offeredAuth } from './offered-auth.ts';
import { openCredentialStore } from './store.ts';

const origin = { layer: 'user', file: '/u/plugin.ts', line: 1 } as const;
const issuer = new OAuth2Server();
/** A server that returns the bearer token of its requests. */
let api: Server;
let apiUrl = '';
beforeAll(async () => {
  await issuer.issuer.keys.generate('RS256');
  await issuer.start(0, '127.0.0.1');
  api = createServer((request, response) => void response.end(request.headers.authorization));
  await new Promise<void>((ready) => api.listen(0, '127.0.0.1', ready));
  apiUrl = `http://127.0.0.1:${(api.address() as AddressInfo).port}/`;
});
afterAll(async () => {
  api.close();
  await issuer.stop();
});

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});
function ground(hook?: AuthHook) {
  const root = mkdtempSync(join(tmpdir(), 'anyhook-login-'));
  folders.push(root);
  const project = join(root, 'project');
  mkdirSync(project);
  const store = openCredentialStore(join(root, 'home', 'anyhook'), { outside: project });
  const auth = offeredAuth(
    hook ?? loopbackAuth(issuer.issuer.url!, (fresh) => store.set('loopback', fresh)),
    origin,
  );
  return { root, project, store, auth };
}
const pageIn = (shown: readonly string[]) => /Open this page: (\S+)/.exec(shown.join('\n'))![1]!;
/** Follows the page like a browser, up to the redirect. */
async function redirectOf(page: string): Promise<URL> {
  const response = await fetch(page, { redirect: 'manual' });
  return new URL(response.headers.get('location')!);
}
const codeFrom = async (shown: readonly string[]) =>
  (await redirectOf(pageIn(shown))).searchParams.get('code')!;

describe('a login with a code', () => {
  test('a login with a code stores tokens in a private file outside the project', async () => {
    const { project, store, auth } = ground();
    const { dialogs, shown } = person(['Bring a code', codeFrom]);
    expect(await login({ offers: [auth], provider: 'loopback', dialogs, store })).toEqual({
      kind: 'logged-in',
      provider: 'loopback',
    });
    expect(shown[0]).toBe('Log in to loopback [Bring a code, In the browser]');
    expect(shown.at(-1)).toBe('info: Logged in to loopback.');
    expect(await store.get('loopback')).toEqual({
      type: 'oauth',
      access: expect.stringMatching(/^ey/),
      refresh: expect.any(String),
      expires: expect.any(Number),
    });
    expect(JSON.parse(readFileSync(store.file, 'utf8'))).toEqual({ loopback: await store.get('loopback') });
    expect([statSync(store.file).mode & 0o777, statSync(join(store.file, '..')).mode & 0o777]).toEqual([
      0o600, 0o700,
    ]);
    expect(readdirSync(project)).toEqual([]);
  });

  test.each([
    [
      'a wrong code',
      async () => 'wrong',
      { kind: 'failed', why: expect.stringContaining('Bring a code was refused') },
    ],
    ['no code', undefined, { kind: 'cancelled' }],
  ])('a login with %s stores nothing', async (_, answer, result) => {
    const { root, store, auth } = ground();
    const { dialogs } = person([answer]);
    expect(
      await login({ offers: [auth], provider: 'loopback', method: 'Bring a code', dialogs, store }),
    ).toEqual(result);
    expect(existsSync(join(root, 'home'))).toBe(false);
  });
});

describe('a login in the browser', () => {
  const inBrowser = { provider: 'loopback', method: 'In the browser' };

  test('a browser login ends when the browser returns', async () => {
    const { store, auth } = ground();
    const { dialogs, shown } = person([]);
    dialogs.notify = (message) => {
      shown.push(message);
      if (message.includes('Open this page')) void fetch(pageIn(shown));
    };
    expect(await login({ offers: [auth], ...inBrowser, dialogs, store })).toMatchObject({
      kind: 'logged-in',
    });
    expect(await store.list()).toEqual([{ provider: 'loopback', type: 'oauth' }]);
  });

  test('a browser login that the user denies fails and stores nothing', async () => {
    const { root, store, auth } = ground();
    issuer.service.once('beforeAuthorizeRedirect', ({ url }: { url: URL }) => {
      url.searchParams.delete('code');
      url.searchParams.set('error', 'access_denied');
    });
    const { dialogs, shown } = person([]);
    dialogs.notify = (message) => {
      shown.push(message);
      if (message.includes('Open this page')) void fetch(pageIn(shown));
    };
    expect(await login({ offers: [auth], ...inBrowser, dialogs, store })).toMatchObject({ kind: 'failed' });
    expect(shown.at(-1)).toMatch(/^Login to loopback failed: In the browser was refused/);
    expect(existsSync(join(root, 'home'))).toBe(false);
  });

  test('an unfinished browser login can be aborted', async () => {
    const { store, auth } = ground();
    const stop = new AbortController();
    const { dialogs } = person([]);
    dialogs.notify = () => setTimeout(() => stop.abort(), 10);
    const result = await login({ offers: [auth], ...inBrowser, dialogs, store, signal: stop.signal });
    expect(result).toEqual({ kind: 'cancelled' });
  });
});

describe('the result of a login', () => {
  test('a login creates options whose fetch signs every request and refreshes expired tokens', async () => {
    const { store, auth } = ground();
    expect(await auth.load!(() => store.get('loopback'), {})).toEqual({});
    await login({
      offers: [auth],
      provider: 'loopback',
      method: 'Bring a code',
      dialogs: person([codeFrom]).dialogs,
      store,
    });
    const first = await store.get('loopback');
    if (first?.type !== 'oauth') throw new Error('no login');
    const options = await auth.load!(() => store.get('loopback'), {});
    const signed = options['fetch'] as typeof fetch;
    expect(await (await signed(apiUrl)).text()).toBe(`Bearer ${first.access}`);
    await store.set('loopback', { ...first, expires: Date.now() - 1 });
    const said = await (await signed(apiUrl)).text();
    const second = await store.get('loopback');
    if (second?.type !== 'oauth') throw new Error('no login');
    expect(said).toBe(`Bearer ${second.access}`);
    expect(second.expires).toBeGreaterThan(Date.now());
    expect(second.refresh).not.toBe(first.refresh);
  });
});

describe('the questions of a login', () => {
  const asking = (extra: Partial<AuthHook['methods'][0]> = {}): AuthHook => ({
    provider: 'acme',
    methods: [
      {
        type: 'api',
        label: 'API key',
        prompts: [
          {
            type: 'select',
            key: 'where',
            message: 'Where?',
            options: [
              { label: 'Cloud', value: 'cloud', hint: 'ours' },
              { label: 'Own', value: 'own' },
            ],
          },
          {
            type: 'text',
            key: 'url',
            message: 'Address',
            when: { key: 'where', op: 'eq', value: 'own' },
            validate: (value) => (value.startsWith('https://') ? undefined : 'It must begin with https://'),
          },
          { type: 'text', key: 'team', message: 'Team', when: { key: 'where', op: 'neq', value: 'own' } },
          {
            type: 'text',
            key: 'port',
            message: 'Port',
            condition: (inputs) => inputs['url'] === 'https://a:1',
          },
          { type: 'text', key: 'never', message: 'Never', when: { key: 'unasked', op: 'neq', value: 'x' } },
        ],
        ...extra,
      } as AuthHook['methods'][0],
    ],
  });

  test('login questions are asked by their conditions, and again until the answer is valid', async () => {
    const { store, auth } = ground(asking());
    const { dialogs, shown } = person(['Own', 'http://a', 'https://a:1', '8080', ' key-1 ']);
    expect(await login({ offers: [auth], provider: 'acme', dialogs, store })).toMatchObject({
      kind: 'logged-in',
    });
    expect(shown).toEqual([
      'Where? [Cloud (ours), Own]',
      'Address',
      'error: It must begin with https://',
      'Address',
      'Port',
      'API key: API key',
      'info: Logged in to acme.',
    ]);
    expect(await store.get('acme')).toEqual({
      type: 'api',
      key: 'key-1',
      metadata: { where: 'own', url: 'https://a:1', port: '8080' },
    });
  });

  test('login answers reach a plugin that creates the key itself, which may name another provider', async () => {
    const seen: unknown[] = [];
    const authorize = async (inputs?: Record<string, string>) => {
      seen.push(inputs);
      return { type: 'success' as const, key: 'made', provider: 'acme-cloud' };
    };
    const { store, auth } = ground(asking({ authorize } as never));
    const { dialogs } = person(['Cloud (ours)', 'blue']);
    expect(await login({ offers: [auth], provider: 'acme', dialogs, store })).toEqual({
      kind: 'logged-in',
      provider: 'acme-cloud',
    });
    expect([seen, await store.list()]).toEqual([
      [{ where: 'cloud', team: 'blue' }],
      [{ provider: 'acme-cloud', type: 'api' }],
    ]);
  });

  test('a login ends after repeated wrong answers, or if the plugin throws', async () => {
    const { store, auth } = ground(asking());
    const wrong = person(['Own', ...Array.from({ length: 9 }, () => 'x')]);
    expect(await login({ offers: [auth], provider: 'acme', dialogs: wrong.dialogs, store })).toEqual({
      kind: 'failed',
      why: 'Address: It must begin with https://',
    });
    const broken = offeredAuth(
      asking({ authorize: () => Promise.reject(new Error('boom')) } as never),
      origin,
    );
    const { dialogs } = person(['Cloud (ours)', 'blue']);
    expect(await login({ offers: [broken], provider: 'acme', dialogs, store })).toEqual({
      kind: 'failed',
      why: 'boom',
    });
    expect(await store.list()).toEqual([]);
  });
});

describe('an invalid login', () => {
  test('an unknown login is rejected with the available providers and methods', async () => {
    const { store, auth } = ground();
    const { dialogs } = person([]);
    const why = async (provider: string, method = 'x') =>
      login({ offers: [auth], provider, method, dialogs, store });
    expect(await why('lopback')).toEqual({
      kind: 'failed',
      why: "no plugin offers a login for 'lopback'; did you mean 'loopback'? (offered: loopback)",
    });
    expect(await why('loopback')).toEqual({
      kind: 'failed',
      why: "'loopback' has no method 'x' (it has: Bring a code, In the browser)",
    });
  });

  test('an invalid auth hook is rejected with a description when it is offered', () => {
    const bad = (hook: unknown) => () => offeredAuth(hook as AuthHook, origin);
    expect(bad({ methods: [] })).toThrow('auth.provider must name');
    expect(bad({ provider: 'a' })).toThrow('auth.methods must be a list');
    expect(bad({ provider: 'a', methods: [{ type: 'sso', label: 'x' }] })).toThrow(
      `must be 'api' or 'oauth', not "sso"`,
    );
    expect(bad({ provider: 'a', methods: [{ type: 'oauth', label: 'x' }] })).toThrow(
      'auth.methods[0].authorize',
    );
  });
});

describe('the published plugin for ChatGPT accounts', () => {
  const hooks = () => codexAuth({ client: {} } as never);

  test('the ChatGPT plugin starts its login with a code, and fails without one', async () => {
    const { auth } = await hooks();
    const offered = offeredAuth(auth as AuthHook, origin);
    const { store } = ground();
    const manual = offered.methods[1]!;
    const { dialogs, shown } = person(['']);
    const result = await login({
      offers: [offered],
      provider: 'openai',
      method: manual.label,
      dialogs,
      store,
    });
    const page = new URL(pageIn(shown));
    expect([page.origin, page.searchParams.get('code_challenge_method')]).toEqual([
      'https://auth.openai.com',
      'S256',
    ]);
    expect([result.kind, await store.list()]).toEqual(['failed', []]);
  });

  test('the ChatGPT plugin creates options with its own fetch from stored credentials', async () => {
    const { auth } = await hooks();
    const offered = offeredAuth(auth as AuthHook, origin);
    const claims = { 'https://api.openai.com/auth': { chatgpt_account_id: 'acc_1' } };
    const access = `e30.${Buffer.from(JSON.stringify(claims)).toString('base64')}.x`;
    const options = await offered.load!(
      async () => ({ type: 'oauth', access, refresh: 'r', expires: 1 }),
      {},
    );
    expect(options).toMatchObject({
      baseURL: 'https://chatgpt.com/backend-api',
      fetch: expect.any(Function),
    });
    expect(await offered.load!(async () => ({ type: 'api', key: 'k' }), {})).toEqual({});
  });
});
