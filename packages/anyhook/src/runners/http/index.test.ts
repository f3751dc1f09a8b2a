import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { Reply } from '../../events/exchange.ts';
import { NEVER } from '../../events/signal.ts';
import { headersOf, openHttpRunner } from './index.ts';

const servers: Server[] = [];
const sockets = new Set<Socket>();
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await Promise.all(servers.splice(0).map((server) => new Promise((done) => server.close(done))));
});

async function listening(server: Server): Promise<number> {
  servers.push(server);
  server.on('connection', (socket: Socket) => sockets.add(socket));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return (server.address() as AddressInfo).port;
}
const serve = async (listener: RequestListener) =>
  `http://127.0.0.1:${await listening(createServer(listener))}/hook`;
const raw = async (talk: (socket: Socket) => void) =>
  `http://127.0.0.1:${await listening(createTcpServer(talk))}/`;

const limit = { timeoutMs: 10_000, signal: NEVER };
const runner = openHttpRunner({ env: { TOKEN: 's3cret', OTHER: 'hidden' } });
const post = (url: string, over: object = {}, timeoutMs = 10_000): Promise<Reply> =>
  runner.run(
    { kind: 'http', url, ...over },
    { kind: 'send', body: '{"a":"ü"}' },
    { ...limit, timeoutMs },
    'private',
  );
const whyOf = (reply: Reply) => (reply.kind === 'broken' ? reply.why.kind : `${reply.kind}`);

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
}

describe('a hook behind a URL', () => {
  test('gets the event as JSON by POST, and its response is returned unchanged', async () => {
    const seen: unknown[] = [];
    const url = await serve(async (request, response) => {
      seen.push(request.method, request.headers['content-type'], await bodyOf(request));
      response.setHeader('content-type', 'application/json; charset=utf-8');
      response.end('{"decision":"block","reason":"größer"}');
    });
    expect(await post(url)).toEqual({
      kind: 'answered',
      status: 200,
      body: '{"decision":"block","reason":"größer"}',
    });
    expect(seen).toEqual(['POST', 'application/json', '{"a":"ü"}']);
  });

  test('an empty response is an answer, with or without status 204', async () => {
    for (const status of [200, 204]) {
      const url = await serve((_, response) => response.writeHead(status).end());
      expect(await post(url)).toEqual({ kind: 'answered', status, body: '' });
    }
  });

  test('headers contain only the listed variables; others are empty', async () => {
    let seen: IncomingMessage['headers'] = {};
    const url = await serve((request, response) => {
      seen = request.headers;
      response.end();
    });
    const headers = {
      Authorization: 'Bearer $TOKEN',
      'x-other': '<${OTHER}>',
      Host: 'evil',
      'x-plain': 'a$1',
    };
    await post(url, { headers, env: ['TOKEN'] });
    expect([seen.authorization, seen['x-other'], seen['x-plain'], seen.host]).toEqual([
      'Bearer s3cret',
      '<>',
      'a$1',
      url.slice(7, -5),
    ]);
    expect(headersOf({ a: '$TOKEN' }, [], { TOKEN: 's3cret' })).toEqual({ a: '' });
  });

  test('an invalid header is a failure, not an exception', async () => {
    const url = await serve((_, response) => response.end());
    const odd = openHttpRunner({ env: { BAD: 'a\r\nx-evil: 1' } });
    const way = { kind: 'http', url, headers: { a: '$BAD' }, env: ['BAD'] } as const;
    expect(whyOf(await odd.run(way, { kind: 'send', body: '{}' }, limit, 'private'))).toBe('not-started');
  });

  test.each([301, 302, 307, 308])('does not follow a redirect with %i', async (status) => {
    let asked = 0;
    const away = await serve((_, response) => {
      asked++;
      response.end('{}');
    });
    const url = await serve((_, response) => response.writeHead(status, { location: away }).end());
    expect(await post(url)).toEqual({ kind: 'answered', status, body: '' });
    expect(asked).toBe(0);
    await fetch(url, { method: 'POST', body: '{}' });
    expect(asked).toBe(1); // plain fetch follows it
  });

  test.each([400, 401, 403, 404, 429, 500, 502, 503])('returns status %i as it is', async (status) => {
    const url = await serve((_, response) => response.writeHead(status).end('no'));
    expect(await post(url)).toEqual({ kind: 'answered', status, body: 'no' });
  });

  test.each(['text/html', 'application/octet-stream', 'image/png', 'application/jsonp'])(
    'rejects a response of type %s',
    async (type) => {
      const url = await serve((_, response) => response.writeHead(200, { 'content-type': type }).end('{}'));
      expect(whyOf(await post(url))).toBe('unreadable');
    },
  );

  test('rejects a response that is not UTF-8', async () => {
    const url = await serve((_, response) => response.end(Buffer.from([0x7b, 0xff, 0x7d])));
    expect(whyOf(await post(url))).toBe('unreadable');
  });
});

describe('a server that misbehaves', () => {
  test('a server that is not listening is not-started', async () => {
    const url = await serve((_, response) => response.end());
    await new Promise((done) => servers.pop()!.close(done));
    expect(whyOf(await post(url))).toBe('not-started');
  });

  test('an unknown host name is not-started', async () => {
    expect(whyOf(await post('http://nobody.invalid/'))).toBe('not-started');
  });

  test('https to a server without TLS is not-started', async () => {
    const url = await serve((_, response) => response.end());
    expect(whyOf(await post(url.replace('http:', 'https:')))).toBe('not-started');
  });

  test.skipIf(!hasOpenssl())('rejects an untrusted certificate', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'anyhook-tls-'));
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
    const words = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', '-subj', '/CN=localhost'];
    execFileSync('openssl', [...words, '-keyout', key, '-out', cert], { stdio: 'ignore' });
    const server = createTlsServer({ key: readFileSync(key), cert: readFileSync(cert) }, (_, response) =>
      response.end('{}'),
    );
    rmSync(folder, { recursive: true });
    const reply = await post(`https://127.0.0.1:${await listening(server)}/`);
    expect(reply).toMatchObject({ kind: 'broken', why: { kind: 'not-started' } });
    expect(JSON.stringify(reply)).toMatch(/self.signed/i);
  });

  test('an endless response ends at the limit', async () => {
    const url = await serve((_, response) => {
      const pour = () => {
        while (response.write(Buffer.alloc(65_536, 'x')));
        response.once('drain', pour);
      };
      pour();
    });
    expect(whyOf(await post(url))).toBe('unreadable');
  });

  test('reads a response of exactly the limit, but not one more byte', async () => {
    const sized = (size: number) => serve((_, response) => response.end('x'.repeat(size)));
    expect((await post(await sized(1024 * 1024))).kind).toBe('answered');
    expect(whyOf(await post(await sized(1024 * 1024 + 1)))).toBe('unreadable');
  });

  test('a server that sends no headers runs into the deadline', async () => {
    const url = await raw((socket) => socket.on('data', () => {}));
    expect(whyOf(await post(url, {}, 150))).toBe('timed-out');
  });

  test('a slow response runs into the same deadline, however often data arrives', async () => {
    const url = await serve((_, response) => {
      response.writeHead(200);
      const drip = setInterval(() => response.write(' '), 10);
      response.on('close', () => clearInterval(drip));
    });
    expect(whyOf(await post(url, {}, 200))).toBe('timed-out');
  });

  test('a connection closed before the response is not-started, one closed during it is failed', async () => {
    const before = await raw((socket) => socket.once('data', () => socket.destroy()));
    expect(whyOf(await post(before))).toBe('not-started');
    const short = await raw((socket) =>
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"continue":')),
    );
    expect(whyOf(await post(short))).toBe('failed');
    const chunked = await raw((socket) =>
      socket.once('data', () =>
        socket.end('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n'),
      ),
    );
    expect(whyOf(await post(chunked))).toBe('failed');
  });

  test('a server that does not speak HTTP is not-started', async () => {
    const url = await raw((socket) => socket.once('data', () => socket.end('hello\r\n')));
    expect(whyOf(await post(url))).toBe('not-started');
  });

  test('an abort ends the request immediately', async () => {
    const url = await raw((socket) => socket.on('data', () => {}));
    const giveUp = new AbortController();
    const reply = runner.run(
      { kind: 'http', url },
      { kind: 'send', body: '{}' },
      { timeoutMs: 60_000, signal: giveUp.signal },
      'private',
    );
    setTimeout(() => giveUp.abort(), 50);
    expect(whyOf(await reply)).toBe('aborted');
    expect(
      whyOf(
        await runner.run(
          { kind: 'http', url },
          { kind: 'send', body: '{}' },
          { timeoutMs: 60_000, signal: giveUp.signal },
          'private',
        ),
      ),
    ).toBe('aborted');
  });
});

describe('names', () => {
  const named = (addresses: readonly string[][]) => {
    let call = 0;
    const resolve = async () =>
      addresses[Math.min(call++, addresses.length - 1)]!.map((address) => ({
        address,
        family: address.includes(':') ? 6 : 4,
      }));
    return { runner: openHttpRunner({ env: {}, resolve }), calls: () => call };
  };
  const send = (by: ReturnType<typeof named>, port: number, reach: 'private' | 'public' = 'private') =>
    by.runner.run(
      { kind: 'http', url: `http://hooks.example:${port}/` },
      { kind: 'send', body: '{}' },
      limit,
      reach,
    );

  test('resolves a name once and connects to the checked address', async () => {
    const url = new URL(await serve((_, response) => response.end('{}')));
    const by = named([['127.0.0.1'], ['169.254.169.254']]);
    expect((await send(by, Number(url.port))).kind).toBe('answered');
    expect(by.calls()).toBe(1);
  });

  test('a name that resolves to a metadata address at the second lookup is still refused', async () => {
    let asked = 0;
    const url = new URL(
      await serve((_, response) => {
        asked++;
        response.end('{}');
      }),
    );
    const port = Number(url.port);
    // This test's metadata service: a runner that checks one lookup and connects by another ends up there.
    const flips = () => {
      let call = 0;
      return async () => (call++ === 0 ? '93.184.216.34' : '127.0.0.1');
    };
    const naive = flips();
    if ((await naive()) === '93.184.216.34')
      await fetch(`http://${await naive()}:${port}/`, { method: 'POST' });
    expect(asked).toBe(1); // checked one address, connected to the other
    const by = named([['169.254.169.254'], ['127.0.0.1']]);
    expect(whyOf(await send(by, port))).toBe('not-started');
    expect([by.calls(), asked]).toEqual([1, 1]);
  });

  test.each([
    [['169.254.169.254']],
    [['127.0.0.1', '169.254.169.254']],
    [['::ffff:169.254.169.254']],
    [['fe80::1']],
    [['0.0.0.0']],
  ])('refuses a name that resolves to %j before anything is sent', async (addresses) => {
    let asked = 0;
    const url = new URL(
      await serve((_, response) => {
        asked++;
        response.end('{}');
      }),
    );
    const reply = await send(named([addresses]), Number(url.port));
    expect(reply).toMatchObject({ kind: 'broken', why: { kind: 'not-started' } });
    expect(asked).toBe(0);
  });

  test('refuses a name with a private address if only public ones are allowed', async () => {
    const reply = await send(named([['10.255.255.1']]), 9, 'public');
    expect(reply).toEqual({
      kind: 'broken',
      why: { kind: 'not-started', detail: 'hooks.example: 10.255.255.1 is a private address' },
    });
  });

  test('a name without an address is not-started', async () => {
    expect(whyOf(await send(named([[]]), 9))).toBe('not-started');
  });
});

function hasOpenssl(): boolean {
  try {
    execFileSync('openssl', ['version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
