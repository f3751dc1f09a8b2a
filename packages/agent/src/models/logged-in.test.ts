/** Logs in at a real authorization server and signs the model requests of the agent. */

import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createHooks } from 'anyhook';
import { credentialFolder, login, openCredentialStore } from 'anyhook/opencode';
import { startModelServer } from 'anyhook/testing';
import { EVERYTHING } from 'anyhook/testing';
import { OAuth2Server } from 'oauth2-mock-server';
import { expect, test } from 'vitest';
import { stage } from '../loop/fixtures/stage.ts';
import { loggedIn } from './logged-in.ts';
import { NoModel } from './no-model.ts';

/** A user plugin that exchanges a code for a token and signs requests. */
const plugin = (issuer: string) => `
const REDIRECT = 'http://localhost/done';
export default async () => ({
  auth: {
    provider: 'openai',
    methods: [{ type: 'oauth', label: 'Web', authorize: async () => ({
      url: '${issuer}/authorize?' + new URLSearchParams({ response_type: 'code', client_id: 'c', redirect_uri: REDIRECT, scope: 'models' }),
      instructions: 'Log in.', method: 'code',
      callback: async (code) => {
        const body = new URLSearchParams({ grant_type: 'authorization_code', code, client_id: 'c', redirect_uri: REDIRECT });
        const response = await fetch('${issuer}/token', { method: 'POST', body });
        if (!response.ok) return { type: 'failed' };
        const { access_token, refresh_token, expires_in } = await response.json();
        return { type: 'success', access: access_token, refresh: refresh_token ?? '', expires: Date.now() + expires_in * 1000 };
      },
    }) }],
    loader: async (getAuth) => ({ apiKey: 'unused', fetch: async (input, init) => {
      const auth = await getAuth();
      const headers = new Headers(init.headers);
      headers.set('authorization', 'Bearer ' + auth.access);
      headers.set('x-prompts', String(JSON.parse(init.body).messages.length));
      return fetch(input, { ...init, headers });
    } }),
  },
});`;

/** A user with a browser, who opens the page and returns the code. */
function personWith(told: string[]) {
  return {
    select: async () => undefined,
    confirm: async () => false,
    notify: (text: string) => void told.push(text),
    async input() {
      const page = /http\S+/.exec(told.join('\n'))?.[0] ?? '';
      const response = await fetch(page, { redirect: 'manual' });
      return new URL(response.headers.get('location') ?? '').searchParams.get('code') ?? undefined;
    },
  };
}

test('a login is stored with owner-only access and signs requests, and hooks see the request without it', async () => {
  const server = new OAuth2Server();
  await server.issuer.keys.generate('RS256');
  await server.start(0, '127.0.0.1');
  const model = await startModelServer({ script: [{ text: 'Hello.' }] });
  const ground = stage();
  ground.write('home/.config/opencode/plugin/acme.js', plugin(server.issuer.url!));
  const hooks = await createHooks({
    host: { name: 'test', can: EVERYTHING },
    cwd: ground.cwd,
    home: ground.home,
    journal: false,
  });
  const store = openCredentialStore(credentialFolder({ home: ground.home, env: {} }), {
    outside: ground.cwd,
  });
  const result = await login({
    offers: hooks.offers.auth,
    provider: 'openai',
    dialogs: personWith([]),
    store,
  });
  await hooks.close();
  expect(result).toEqual({ kind: 'logged-in', provider: 'openai' });
  expect(statSync(store.file).mode & 0o777).toBe(0o600);
  const { openai } = JSON.parse(readFileSync(store.file, 'utf8')) as { openai: { access: string } };
  expect(store.file).toBe(join(ground.home, '.local/share/anyhook/auth.json'));

  const seen: unknown[] = [];
  const agent = await ground.open([], {
    model: 'openai-chat:gpt-x',
    env: { PATH: process.env['PATH'], HOME: ground.home, OPENAI_BASE_URL: `${model.url}/v1` },
    hooks: {
      hooks: {
        'model.request': ({ payload }) => void seen.push(payload.headers?.['authorization']),
      },
    },
  });
  await agent.prompt('hi');
  expect(
    model.requests.map(({ headers }) => [headers['authorization'], Number(headers['x-prompts'])]),
  ).toEqual([[`Bearer ${openai.access}`, expect.any(Number)]]);
  expect(seen).toEqual(['(hidden)']); // The API key is not used: the token is added after the hooks.
  await agent.close();
  await model.close();
  await server.stop();
}, 60_000);

const origin = { layer: 'user', file: 'f', line: 1 } as const;

test('a stored key is used directly, a missing login returns none, and a failing loader reports the fix', async () => {
  const store = {
    get: async (provider: string) =>
      provider === 'none' ? undefined : ({ type: 'api', key: 'sk-stored' } as const),
  };
  const offers = [
    {
      provider: 'broken',
      origin,
      methods: [],
      load: async () => {
        throw new Error('the token is over');
      },
    },
  ];
  const ask = loggedIn(() => offers, store);
  expect([await ask('none'), await ask('openai')]).toEqual([undefined, { apiKey: 'sk-stored' }]);
  const error: unknown = await ask('broken').catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(NoModel);
  expect((error as Error).message).toBe(
    'The login to broken cannot be used: the token is over. Log in again: anyhook-agent login broken',
  );
});
