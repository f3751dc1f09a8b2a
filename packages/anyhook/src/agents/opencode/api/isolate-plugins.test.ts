import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { scratch } from './fixtures/scratch.ts';

const ground = scratch();
afterAll(ground.remove);
const load = (texts: readonly string[], timeoutMs = 20_000) =>
  ground.load(
    texts.map((text) => ground.write(`i${++number}.ts`, text)),
    { isolate: true, timeoutMs },
  );
let number = 0;
const CALL = { tool: 'bash', sessionID: 's', callID: 'c' };

describe('a plugin in its own process', { timeout: 120_000 }, () => {
  test('an isolated plugin changes the output in place, offers tools and logins, and receives events and its disposal', async () => {
    const log = join(ground.root, 'log');
    const plugins = await load([
      `import { appendFileSync } from 'node:fs';
       import { tool } from '@opencode-ai/plugin';
       const write = (line) => appendFileSync(${JSON.stringify(log)}, line + '\\n');
       export const First = async ({ directory }) => ({
         config: async (config) => { config.pid = process.pid; },
         event: async ({ event }) => write(event.type),
         'tool.execute.before': async (input, output) => { input.tool = 'x'; output.args.list.push(directory); delete output.args.gone; },
         tool: { greet: tool({ description: 'greets', args: { who: tool.schema.string() }, execute: async ({ who }, { sessionID }) => 'hello ' + who + ' of ' + sessionID }) },
         auth: { provider: 'acme', methods: [{ type: 'oauth', label: 'Web', authorize: async () => ({ url: 'https://acme.example', instructions: 'go', method: 'code', callback: async (code) => ({ type: 'success', key: code }) }) }] },
         dispose: async () => write('disposed'),
       });
       export const Second = async () => ({ 'tool.execute.before': (input, output) => { output.args = { ...output.args, second: true }; } });`,
    ]);
    expect(plugins.problems).toEqual([]);
    const config = {} as { pid?: number };
    await plugins.init(config);
    expect(config.pid).toEqual(expect.any(Number));
    expect(config.pid).not.toBe(process.pid);
    const args = { list: [] as string[], gone: 1 };
    const output = { args };
    const input = { ...CALL };
    expect(await plugins.trigger('tool.execute.before', input, output)).toBe(output);
    expect([input, output.args, args.list]).toEqual([
      CALL,
      { list: [ground.root], second: true },
      [ground.root],
    ]);
    const context = {
      sessionID: 's',
      messageID: 'm',
      agent: 'a',
      directory: ground.root,
      abort: new AbortController().signal,
    };
    expect(
      await plugins.tools['greet']?.execute({ who: 'you' }, { ...context, metadata() {} } as never),
    ).toMatchObject({
      output: 'hello you of s',
    });
    await expect(
      plugins.tools['greet']?.execute({ who: 1 }, { ...context, metadata() {} } as never),
    ).rejects.toThrow('who');
    const method = plugins.auth[0]?.methods[0];
    const started = method?.type === 'oauth' ? await method.authorize() : undefined;
    expect([started?.url, started?.method]).toEqual(['https://acme.example', 'code']);
    expect(await (started as { callback(code: string): unknown }).callback('k')).toEqual({
      type: 'success',
      key: 'k',
    });
    plugins.publish({ type: 'session.idle', properties: {} });
    await expect.poll(() => readFileSync(log, 'utf8'), { timeout: 10_000 }).toBe('session.idle\n');
    await plugins.dispose();
    expect(readFileSync(log, 'utf8')).toBe('session.idle\ndisposed\n');
  });

  test('an isolated plugin refuses like in process: a deny stands, a throw rejects', async () => {
    const plugins = await load([
      `export default async () => ({ 'permission.ask': async (i, o) => { o.status = 'deny'; }, 'chat.message': () => { throw new Error('not now'); } });`,
      `export default async () => ({ 'permission.ask': async (i, o) => { o.status = 'allow'; } });`,
    ]);
    expect(await plugins.trigger('permission.ask', CALL, { status: 'ask' })).toEqual({ status: 'deny' });
    await expect(plugins.trigger('chat.message', { sessionID: 's' }, { parts: [] })).rejects.toThrow(
      'not now',
    );
    await plugins.dispose();
  });

  test('an isolated plugin may block or exit: its hook fails, and the host and the next plugin work', async () => {
    const plugins = await load(
      [
        `export default async () => ({
           'tool.execute.before': () => { for (;;) ; },
           'chat.message': () => process.exit(0),
           'chat.params': (i, o) => { o.temperature = 1; },
         });`,
        `export default async () => ({ 'chat.params': (i, o) => { o.topP = 1; } });`,
      ],
      3000,
    );
    await expect(plugins.trigger('tool.execute.before', CALL, { args: {} })).rejects.toThrow(
      'within 3000 ms',
    );
    await expect(plugins.trigger('chat.message', { sessionID: 's' }, { parts: [] })).rejects.toThrow();
    expect(await plugins.trigger('chat.params', CALL, { options: {} })).toEqual({
      options: {},
      temperature: 1,
      topP: 1,
    });
    await plugins.dispose();
  });

  test('an isolated plugin that does not load is a problem with file and line, and the next one works', async () => {
    const plugins = await load([
      `const a = 1;\nthrow new Error('at import');`,
      `export default async () => ({ 'chat.params': (i, o) => { o.topP = 1; } });`,
    ]);
    expect(plugins.problems).toMatchObject([
      { code: 'not-loaded', line: 2, message: expect.stringContaining('at import') as string },
    ]);
    expect(await plugins.trigger('chat.params', CALL, {})).toEqual({ topP: 1 });
    await plugins.dispose();
  });
});

describe('transfer between plugin process and host', { timeout: 40_000 }, () => {
  test('the fetch of a login streams request and response bodies part by part', async () => {
    const heard: string[] = [];
    let finish = () => {};
    const server = createServer((request, response) => {
      request.on('data', (chunk: Buffer) => void heard.push(chunk.toString()));
      request.on('end', () => {
        response.writeHead(200, { 'x-signed': request.headers.authorization ?? '' });
        response.write('first');
        finish = () => response.end('last');
      });
    });
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
    const plugins = await load([
      `export default async () => ({ auth: { provider: 'acme', methods: [], loader: async (getAuth) => ({
         apiKey: 'unused',
         fetch: async (input, init) => {
           const headers = new Headers(init?.headers);
           headers.set('authorization', 'Bearer ' + (await getAuth()).key + ' ' + process.pid);
           return fetch(input, { ...init, headers, ...(init?.body instanceof ReadableStream && { duplex: 'half' }) });
         },
       }) } });`,
    ]);
    const [auth] = plugins.offers.auth;
    const options = await auth!.load!(async () => ({ type: 'api', key: 'k1' }), {});
    expect(options['apiKey']).toBe('unused');
    let more!: ReadableStreamDefaultController<Uint8Array>;
    const body = new ReadableStream<Uint8Array>({ start: (controller) => void (more = controller) });
    const say = (text: string) => more.enqueue(new TextEncoder().encode(text));
    say('one');
    const { port } = server.address() as AddressInfo;
    const asked = (options['fetch'] as typeof fetch)(`http://127.0.0.1:${port}/`, {
      method: 'POST',
      body,
      duplex: 'half',
    } as RequestInit);
    await expect.poll(() => heard, { timeout: 20_000 }).toEqual(['one']);
    say('two'); // after the first part has arrived
    await expect.poll(() => heard, { timeout: 20_000 }).toEqual(['one', 'two']);
    more.close();
    const answer = await asked;
    const signed = answer.headers.get('x-signed')?.split(' ') ?? [];
    expect(signed.slice(0, 2)).toEqual(['Bearer', 'k1']);
    expect(Number(signed[2])).not.toBe(process.pid);
    const parts = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
    expect((await parts.read()).value).toBe('first');
    finish();
    expect((await parts.read()).value).toBe('last');
    expect((await parts.read()).done).toBe(true);
    await plugins.dispose();
    server.close();
  });

  test("a tool's schema, progress and abort are transferred", async () => {
    const plugins = await load([
      `import { writeFileSync } from 'node:fs';
       import { tool } from '@opencode-ai/plugin';
       export default async () => ({ tool: { slow: tool({
         description: 'is slow', args: { times: tool.schema.number().int().min(1).describe('how often') },
         execute: ({ times }, { abort, metadata }) => new Promise((resolve) => {
           metadata({ title: 'began ' + times });
           abort.addEventListener('abort', () => { writeFileSync(${JSON.stringify(join(ground.root, 'aborted'))}, 'heard'); resolve(''); });
         }) }) } });`,
    ]);
    const [slow] = plugins.offers.tools;
    expect(slow?.parameters).toMatchObject({
      properties: { times: { type: 'integer', minimum: 1, description: 'how often' } },
      required: ['times'],
    });
    const abort = new AbortController();
    const told: unknown[] = [];
    const scene = {
      session: 's',
      cwd: ground.root,
      signal: abort.signal,
      progress: (u: object) => void told.push({ ...u }),
    };
    await expect(slow!.execute({ times: 0 }, scene)).rejects.toThrow('times');
    const done = slow!.execute({ times: 2 }, scene);
    await expect.poll(() => told, { timeout: 10_000 }).toEqual([{ title: 'began 2' }]);
    abort.abort(new Error('enough'));
    await done.catch(() => {});
    const file = join(ground.root, 'aborted');
    await expect
      .poll(() => existsSync(file) && readFileSync(file, 'utf8'), { timeout: 10_000 })
      .toBe('heard');
    await plugins.dispose();
  });

  test('values that cannot be transferred are refused by name when loading, and the rest works', async () => {
    const plugins = await load([
      `export default async () => ({
         'chat.params': (i, o) => { o.topP = 1; },
         tool: {
           odd: { description: 'odd', args: { x: { type: 'string', check: () => true } }, execute: async () => '' },
           even: { description: 'even', args: {}, execute: async () => 'even' },
         },
       });`,
    ]);
    expect(plugins.problems.map(({ message }) => message)).toEqual([
      expect.stringContaining('the tool "odd" cannot be sent to the host process'),
    ]);
    expect(plugins.offers.tools.map(({ name }) => name)).toEqual(['even']);
    expect(await plugins.trigger('chat.params', CALL, {})).toEqual({ topP: 1 });
    await plugins.dispose();
  });
});
