import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { scene, use } from './fixtures/scene.ts';
import { plainText } from './plain-text.ts';

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('fetch', () => {
  test('fetch returns the text of a page after redirects', async () => {
    const url = await serve((request, response) => {
      if (request.url === '/old') return response.writeHead(302, { location: '/new' }).end();
      response.setHeader('content-type', 'text/html; charset=utf-8');
      return response.end(
        '<html><head><style>p{}</style><script>if (a < b) alert("</p>")</script></head><body><h1>A &amp; B</h1><!-- <p>no</p> --><ul><li>one<li>two</ul>1 &lt; 2</body>',
      );
    });
    expect(await use('fetch', { url: `${url}/old`, prompt: 'letters' }, scene())).toEqual({
      output: 'Looked for: letters\n\nA & B\n- one- two\n1 < 2',
      title: `${url}/new`,
      metadata: { status: 200 },
    });
    expect((await use('fetch', { url, format: 'html' }, scene())).output).toContain('<h1>A &amp; B</h1>');
  });

  test('fetch accepts only http and https, also after a redirect, and limits redirects and size', async () => {
    const url = await serve((request, response) => {
      if (request.url === '/file') return response.writeHead(302, { location: 'file:///etc/passwd' }).end();
      if (request.url === '/circle') return response.writeHead(302, { location: '/circle' }).end();
      if (request.url === '/gone') return response.writeHead(404).end('not here');
      if (request.url === '/bytes') return response.end(Buffer.from([0, 1, 2]));
      response.setHeader('content-type', 'text/plain');
      const more = () => {
        while (response.write('x'.repeat(65_536)));
        response.once('drain', more);
      };
      return more();
    });
    const said = async (at: string) => {
      const { output, isError } = await use('fetch', { url: at }, scene());
      return [isError ?? false, output.replaceAll(url, 'URL').slice(0, 70)];
    };
    expect([
      await said('file:///etc/passwd'),
      await said(`${url}/file`),
      await said(`${url}/circle`),
      await said('nonsense'),
      await said('http://127.0.0.1:1/'),
      await said(`${url}/gone`),
      await said(`${url}/bytes`),
    ]).toEqual([
      [true, 'file:///etc/passwd: only http and https are fetched, not file:'],
      [true, 'URL/file: only http and https are fetched, not file:'],
      [true, 'URL/circle: more than 5 redirects'],
      [true, "nonsense: 'nonsense' is not a URL"],
      [true, expect.stringMatching(/^http:\/\/127\.0\.0\.1:1\/: /) as string],
      [true, 'HTTP 404 Not Found\n\nnot here'],
      [true, 'URL/bytes: is not text but binary'],
    ]);
    const endless = await use('fetch', { url }, scene());
    expect(endless.output).toMatch(/^\[only the first 2097152 bytes were read\]/);
    expect(endless.output.length).toBeLessThan(31_000);
  });

  test('an abort ends fetch', async () => {
    const stop = new AbortController();
    const url = await serve(() => stop.abort());
    await expect(use('fetch', { url }, scene({ signal: stop.signal }))).rejects.toThrow('aborted');
  });

  test('fetch handles a page of unclosed tags in linear time', () => {
    const began = performance.now();
    plainText('<script'.repeat(100_000));
    plainText('<!--'.repeat(200_000));
    plainText('<p '.repeat(200_000));
    expect(performance.now() - began).toBeLessThan(10_000);
  });
});

test('todo stores the list and knows the open items', async () => {
  const at = scene();
  const todos = [
    { content: 'Read', status: 'completed', activeForm: 'Reading' },
    { content: 'Write', status: 'in_progress' },
    { content: 'Test', status: 'pending' },
  ];
  expect(await use('todo', { todos }, at)).toEqual({
    output: '[x] Read\n[>] Write\n[ ] Test',
    title: '2 of 3 open',
    metadata: { todos },
  });
  expect([at.todos.items, at.todos.open]).toEqual([todos, todos.slice(1)]);
});

test('task calls a subagent, and reports to the model if there is none or it fails', async () => {
  const input = { description: 'Look', prompt: 'look at it', type: 'review' };
  const asked: string[][] = [];
  const at = scene({
    task: async (type, prompt) => {
      asked.push([type, prompt]);
      return 'seen';
    },
  });
  expect(await use('task', input, at)).toEqual({
    output: 'seen',
    title: 'Look',
    metadata: { type: 'review' },
  });
  expect(asked).toEqual([['review', 'look at it']]);
  expect(await use('task', input, scene())).toMatchObject({ isError: true });
  const failing = scene({ task: () => Promise.reject(new Error('no such type')) });
  expect((await use('task', input, failing)).output).toBe('The subagent failed: no such type');
});
