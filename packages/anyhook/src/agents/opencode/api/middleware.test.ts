import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Fetch, middleware, type Middleware } from './middleware.ts';

let server: Server;
let url: string;
const seen: { method: string; url: string; headers: IncomingMessage['headers']; body: string }[] = [];

beforeAll(async () => {
  server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    seen.push({ method: request.method!, url: request.url!, headers: request.headers, body });
    response.setHeader('x-server', 'yes');
    if (request.url === '/slow') {
      response.write('one');
      setTimeout(() => response.end('two'), 300);
    } else response.end(`you said ${body}`);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const through = (...layers: Middleware[]): Fetch => middleware(fetch, ...layers);
const last = () => seen.at(-1)!;

test('middleware without layers returns the fetch itself', async () => {
  const response = await through()(`${url}/a`, { method: 'POST', body: 'hi' });
  expect([response.status, await response.text()]).toEqual([200, 'you said hi']);
});

test('the first layer is the outermost, and each receives the request and the response', async () => {
  const order: string[] = [];
  const named =
    (name: string): Middleware =>
    async (request, next) => {
      order.push(`${name} ${request.method} ${new URL(request.url).pathname}`);
      const response = await next(request);
      order.push(`${name} ${response.status}`);
      return response;
    };
  await through(named('outer'), named('inner'))(new URL('/a', url));
  expect(order).toEqual(['outer GET /a', 'inner GET /a', 'inner 200', 'outer 200']);
});

test('a layer changes the request', async () => {
  const authorised: Middleware = (request, next) => {
    const changed = new Request(request);
    changed.headers.set('authorization', 'Bearer t');
    return next(changed);
  };
  await through(authorised)(`${url}/a`, { method: 'PUT', body: 'kept' });
  expect(last()).toMatchObject({ method: 'PUT', body: 'kept', headers: { authorization: 'Bearer t' } });
});

test('a layer changes the response', async () => {
  const response = await through(
    async (request, next) => new Response(`<${await (await next(request)).text()}>`),
  )(url);
  expect(await response.text()).toBe('<you said >');
});

describe('a layer that does not call next', () => {
  test('a layer that answers itself sends nothing to the server', async () => {
    const before = seen.length;
    const response = await through(() => new Response('mine', { status: 418 }))(url);
    expect([response.status, await response.text(), seen.length]).toEqual([418, 'mine', before]);
  });

  test.each<[string, Middleware]>([
    [
      'rejects',
      async () => {
        throw new Error('request blocked by middleware');
      },
    ],
    [
      'throws at once',
      () => {
        throw new Error('request blocked by middleware');
      },
    ],
  ])('a layer that %s refuses the call and sends nothing to the server', async (_how, layer) => {
    const before = seen.length;
    const call = through(layer)(url); // must not throw here
    await expect(call).rejects.toThrow('request blocked by middleware');
    expect(seen.length).toBe(before);
  });
});

test('bodies are streamed: the answer starts before it has ended', async () => {
  const response = await through(
    (request, next) => next(request),
    (request, next) => next(request),
  )(`${url}/slow`);
  const reader = response.body!.getReader();
  const started = performance.now();
  expect(new TextDecoder().decode((await reader.read()).value)).toBe('one');
  const first = performance.now() - started;
  expect(new TextDecoder().decode((await reader.read()).value)).toBe('two');
  expect(performance.now() - started).toBeGreaterThan(first);
});

test('a streamed request is passed on', async () => {
  const body = new ReadableStream({
    start(controller) {
      for (const part of ['a', 'b', 'c']) controller.enqueue(new TextEncoder().encode(part));
      controller.close();
    },
  });
  await through((request, next) => next(request))(url, { method: 'POST', body });
  expect(last().body).toBe('abc');
});

test('an abort reaches the request', async () => {
  const controller = new AbortController();
  const call = through((request, next) => next(request))(`${url}/slow`, { signal: controller.signal });
  const response = await call;
  controller.abort();
  await expect(response.text()).rejects.toThrow(/abort/i);
});

describe('next called twice', () => {
  test('calling next twice is a retry if the request can be sent again', async () => {
    const before = seen.length;
    const retry: Middleware = async (request, next) => {
      await next(request.clone());
      return next(request);
    };
    const response = await through(retry)(url, { method: 'POST', body: 'twice' });
    expect([await response.text(), seen.length - before]).toEqual(['you said twice', 2]);
  });

  test('calling next twice with a used body is refused with a message', async () => {
    const again: Middleware = async (request, next) => {
      await next(request);
      return next(request);
    };
    await expect(through(again)(url, { method: 'POST', body: 'x' })).rejects.toThrow(
      'layer 1 called next with a request whose body is already read; pass request.clone() to send it twice',
    );
  });
});

test.each<[string, Middleware, string]>([
  ['gives no response', (() => undefined) as never, 'layer 1 of middleware returned no Response'],
  ['passes on no request', (_r, next) => next(undefined as never), 'layer 1 called next without a Request'],
])('a layer that %s is named in the error', async (_how, layer, message) => {
  await expect(through(layer)(url)).rejects.toThrow(message);
});

test('a layer that is not a function is refused when it is added', () => {
  expect(() => middleware(fetch, 'x' as never)).toThrow(TypeError);
});

test('a fetch that throws at once rejects', async () => {
  const bad: Fetch = () => {
    throw new Error('no network');
  };
  await expect(middleware(bad)(url)).rejects.toThrow('no network');
});
