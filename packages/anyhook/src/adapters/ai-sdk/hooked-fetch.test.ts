import { createServer, type Server } from 'node:http';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { EVERYTHING } from '../../events/capabilities.ts';
import { deny, give, halt, set } from '../../events/effects.ts';
import type { Callbacks } from '../../gather/options.ts';
import { createHooks } from '../../library/create-hooks.ts';
import { hookedFetch } from './hooked-fetch.ts';

let server: Server;
let url: string;
let got: { headers: Record<string, unknown>; body: string }[];
const ending: (() => Promise<void>)[] = [];
beforeEach(async () => {
  got = [];
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += chunk));
    request.on('end', () => {
      got.push({ headers: request.headers, body });
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"said":"secret"}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as { port: number }).port}/`;
});
afterEach(async () => {
  for (const end of ending.splice(0)) await end();
  server.close();
});

async function through(callbacks: Callbacks): Promise<Response> {
  const hooks = await createHooks({
    host: { name: 'test', can: EVERYTHING },
    settings: false,
    journal: false,
    hooks: callbacks,
  });
  ending.push(hooks.close);
  return hookedFetch(hooks)(url, {
    method: 'POST',
    headers: { authorization: 'Bearer key', 'x-a': '1' },
    body: '{"model":"m","n":1}',
  });
}

describe('hooks around the provider’s fetch', () => {
  test('hooks change body and headers of a request; the API key is sent but not shown to hooks', async () => {
    const shown: unknown[] = [];
    await through({
      'model.request': ({ payload }) => {
        shown.push(payload.headers?.['authorization']);
        return [set('body', 'n', 2), set('headers', 'x-b', '2')];
      },
    });
    expect(shown).toEqual(['(hidden)']);
    expect(
      got.map(({ headers, body }) => [headers['authorization'], headers['x-a'], headers['x-b'], body]),
    ).toEqual([['Bearer key', '1', '2', '{"model":"m","n":2}']]);
  });

  test('a refused request is not sent', async () => {
    await expect(through({ 'model.request': () => deny('offline today') })).rejects.toThrow(
      'a hook refused the request to the model: offline today',
    );
    expect(got).toEqual([]);
  });

  test('hooks can answer instead of the provider', async () => {
    const response = await through({
      'model.request': () => give('response', { status: 203, body: { said: 'cached' } }),
    });
    expect([response.status, await response.json(), got]).toEqual([203, { said: 'cached' }, []]);
  });

  test('hooks can change or stop the response', async () => {
    const response = await through({ 'model.response': () => set('body', { said: '***' }) });
    expect(await response.json()).toEqual({ said: '***' });
    await expect(through({ 'model.response': () => halt('leak') })).rejects.toThrow(
      'a hook stopped the answer of the model: leak',
    );
    // Without hooks the response is unchanged.
    expect(await (await through({})).json()).toEqual({ said: 'secret' });
  });
});
