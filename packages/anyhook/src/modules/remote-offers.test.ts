/** Tools and logins of a module in its own process. Values that are not data are transferred as handles. */

import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test } from 'vitest';
import { opencode } from '../agents/opencode/dialect/index.ts';
import type { Hook } from '../events/hook.ts';
import { NO_OFFERS } from '../events/offers.ts';
import { NEVER } from '../events/signal.ts';
import { LOADERS } from '../library/loaders.ts';
import { describe } from './description.ts';
import { type IsolatedModule, isolateModule } from './isolate.ts';
import type { LoadedModule, LoaderTerms } from './loader.ts';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'anyhook-offers-')));
const open: IsolatedModule[] = [];
afterEach(() => open.splice(0).forEach((one) => one.close()));
afterAll(() => rmSync(root, { recursive: true, force: true }));

async function isolated(
  name: string,
  text: string,
  more: Partial<LoaderTerms> = {},
): Promise<IsolatedModule> {
  const file = join(root, name);
  writeFileSync(file, text);
  const module = { file, shown: file, layer: 'user', asker: { file, line: 1 } } as const;
  const terms = { cwd: root, home: root, env: process.env, services: {}, deadlineMs: 20_000, ...more };
  const made = await isolateModule(module, {
    ...terms,
    dialect: opencode,
    loader: LOADERS['opencode']!.url,
    key: file,
  });
  open.push(made);
  return made;
}
const scene = { session: 's', cwd: root };

test('a tool runs in the other process with its schema here, and an abort kills it if it ignores the signal', async () => {
  const { offers } = await isolated(
    'tools.mjs',
    `import { tool } from '@opencode-ai/plugin';
     export const Tools = async () => ({ tool: {
       greet: tool({ description: 'greets', args: { name: tool.schema.string() },
         async execute({ name }, ctx) { return 'hello ' + name + ' from ' + process.pid; } }),
       wait: tool({ description: 'waits', args: {},
         execute: (_, { abort }) => new Promise((_, no) => abort.addEventListener('abort', () => no(new Error('told to stop')))) }),
       deaf: tool({ description: 'never', args: {}, execute() { for (;;); } }),
     } });`,
  );
  const [greet, wait, deaf] = ['greet', 'wait', 'deaf'].map((name) =>
    offers.tools.find((one) => one.name === name)!,
  );
  expect(greet!.parameters).toMatchObject({ type: 'object', properties: { name: { type: 'string' } } });
  const { output } = await greet!.execute(
    { name: 'Ada' },
    { ...scene, signal: new AbortController().signal },
  );
  expect(output).toMatch(/^hello Ada from \d+$/);
  expect(output).not.toContain(`from ${process.pid}`);
  await expect(
    greet!.execute({ name: 1 }, { ...scene, signal: new AbortController().signal }),
  ).rejects.toThrow();
  const pid = async () =>
    (await greet!.execute({ name: '' }, { ...scene, signal: new AbortController().signal })).output;
  const before = await pid();
  const givenUp = async (one: typeof greet) => {
    const abort = new AbortController();
    setTimeout(() => abort.abort(), 300);
    const run = one!.execute({}, { ...scene, signal: abort.signal });
    return await run.catch((error: Error) => error.message);
  };
  expect(await givenUp(wait)).not.toContain('its process was killed');
  expect(await pid()).toBe(before);
  expect(await givenUp(deaf)).toContain('its process was killed because it was cancelled');
  expect(await pid()).not.toBe(before); // a fresh process serves the next call
});

test('a login is controlled from here, and its fetch returns a stream from the other process', async () => {
  const { offers } = await isolated(
    'auth.mjs',
    `export const Auth = async () => ({ auth: {
       provider: 'acme',
       loader: async (getAuth) => ({ apiKey: '', async fetch(url, init) {
         const { access } = await getAuth();
         const parts = [access, init.method, new Headers(init.headers).get('x-one'), init.body];
         return new Response(new ReadableStream({
           async start(out) {
             for (const part of parts) { out.enqueue(new TextEncoder().encode(part + ';')); await new Promise((r) => setTimeout(r, 20)); }
             out.close();
           } }), { status: 201, headers: { 'x-pid': String(process.pid) } });
       } }),
       methods: [{ type: 'oauth', label: 'Browser', authorize: async () => ({
         url: 'https://acme.example/login', instructions: 'Bring the code', method: 'code',
         callback: async (code) => code === '42' ? { type: 'success', refresh: 'r', access: 'a', expires: 1 } : { type: 'failed' } }) }],
     } });`,
  );
  const [auth] = offers.auth;
  const started = await auth!.methods[0]!.start!({});
  expect([started.url, started.way]).toEqual(['https://acme.example/login', 'code']);
  const done = await started.finish('42');
  expect(done?.credential).toMatchObject({ type: 'oauth', access: 'a', refresh: 'r' });
  const options = await auth!.load!(async () => done!.credential, { id: 'acme' });
  const far = options['fetch'] as typeof fetch;
  const answer = await far('https://acme.example/v1', {
    method: 'POST',
    headers: { 'x-one': '1' },
    body: '{"a":1}',
  });
  expect([answer.status, answer.headers.get('x-pid') === String(process.pid)]).toEqual([201, false]);
  expect(await answer.text()).toBe('a;POST;1;{"a":1};');
});

test('a tool in another process reports progress while it runs', async () => {
  const { offers, problems } = await isolated(
    'progress.mjs',
    `import { tool } from '@opencode-ai/plugin';
     export const Tools = async () => ({ tool: { build: tool({ description: 'builds', args: {},
       async execute(_, ctx) {
         ctx.metadata({ title: 'half', metadata: { done: 1 } });
         await new Promise((resolve) => setTimeout(resolve, 300));
         ctx.metadata({ title: 'all', metadata: { done: 2 } });
         return 'built';
       } }) } });`,
  );
  expect(problems).toEqual([]);
  const heard: unknown[] = [];
  const before: number[] = [];
  const run = offers.tools[0]!.execute(
    {},
    { ...scene, signal: NEVER, progress: (update) => void heard.push(update) },
  );
  await expect.poll(() => heard.length, { timeout: 10_000 }).toBeGreaterThan(0);
  before.push(heard.length);
  expect((await run).output).toBe('built');
  await expect
    .poll(() => heard)
    .toMatchObject([
      { title: 'half', metadata: { done: 1 } },
      { title: 'all', metadata: { done: 2 } },
    ]);
  expect(before).toEqual([1]); // the first part arrived before the end
});

test('changes that a hook makes to its arguments are returned with its answer, also when it throws', async () => {
  const { opened } = await isolated(
    'mutates.mjs',
    `export const Mutates = async () => ({ 'tool.execute.before': async (input, output) => {
       input.tool = 'changed';
       output.args.command += ' --safe';
       if (output.args.fail) throw new Error('refused');
     } });`,
  );
  const run = (args: object) =>
    opened!.run(0, [{ tool: 'bash' }, { args }], { timeoutMs: 20_000, signal: NEVER });
  expect(await run({ command: 'ls' })).toMatchObject({
    kind: 'returned',
    args: [expect.anything(), { args: { command: 'ls --safe' } }],
  });
  expect(await run({ command: 'rm', fail: true })).toMatchObject({
    kind: 'threw',
    message: expect.stringContaining('refused') as string,
    args: [expect.anything(), { args: { command: 'rm --safe', fail: true } }],
  });
});

test('a tool that spins is killed even without an abort', async () => {
  const { offers } = await isolated(
    'spins.mjs',
    `import { tool } from '@opencode-ai/plugin';
     export const Tools = async () => ({ tool: { spin: tool({ description: '', args: {}, execute() { for (;;); } }) } });`,
    { handlerMs: 1000 },
  );
  await expect(offers.tools[0]!.execute({}, { ...scene, signal: NEVER })).rejects.toThrow(
    'did not respond for 1000 ms',
  );
});

test('request bytes reach the fetch in the other process unchanged, and text stays text', async () => {
  const { offers } = await isolated(
    'binary.mjs',
    `export const Auth = async () => ({ auth: { provider: 'acme', methods: [],
       loader: async () => ({ async fetch(url, init) {
         const { body } = init;
         const bytes = typeof body === 'string' ? 'text' : Array.from(new Uint8Array(await new Response(body).arrayBuffer())).join(' ');
         return Response.json([typeof body === 'string' ? body : bytes, new Headers(init.headers).get('content-type')]);
       } }) } });`,
  );
  const options = await offers.auth[0]!.load!(async () => ({ type: 'api', key: 'k' }), {});
  const far = options['fetch'] as typeof fetch;
  const sent = async (input: string | Request, init?: RequestInit) => (await far(input, init)).json();
  const url = 'https://acme.example/';
  const bytes = new Uint8Array([0, 255, 128, 10]);
  expect(await sent(url, { method: 'POST', body: bytes })).toEqual(['0 255 128 10', null]);
  expect(await sent(url, { method: 'POST', body: new Blob([bytes], { type: 'image/png' }) })).toEqual([
    '0 255 128 10',
    'image/png',
  ]);
  expect(
    await sent(new Request(url, { method: 'POST', body: bytes, headers: { 'content-type': 'image/png' } })),
  ).toEqual(['0 255 128 10', 'image/png']);
  expect(await sent(url, { method: 'POST', body: new URLSearchParams({ a: 'ä' }) })).toEqual([
    'a=%C3%A4',
    'application/x-www-form-urlencoded;charset=UTF-8',
  ]);
  const json = { method: 'POST', body: '{"a":1}', headers: { 'content-type': 'application/json' } };
  expect(await sent(new Request(url, json))).toEqual(['{"a":1}', 'application/json']);
  const form = new FormData();
  form.set('file', new Blob([bytes]), 'x.bin');
  const [raw, type] = (await sent(url, { method: 'POST', body: form })) as [string, string];
  expect([raw.includes('0 255 128 10'), type.startsWith('multipart/form-data; boundary=')]).toEqual([
    true,
    true,
  ]);
});

test('values that cannot be transferred are refused by name, and a hook with such a value does not vanish', () => {
  const origin = { layer: 'project', file: '/p/plugin.ts', line: 1 } as const;
  const hook = (on: string, match: Hook['match']): Hook => ({
    id: on,
    dialect: 'opencode',
    on,
    origin,
    roles: ['guard'],
    match,
    run: { kind: 'call', fn: () => {} },
    background: false,
    shadow: false,
    timeoutMs: 1,
  });
  const module: LoadedModule = {
    hooks: [
      hook('plain', { kind: 'any' }),
      hook('coded', { kind: 'pattern', source: 'x', test: () => true }),
    ],
    offers: {
      ...NO_OFFERS,
      tools: [
        {
          name: 'odd',
          description: '',
          parameters: { check: () => true },
          origin,
          execute: async () => ({ output: '' }),
        },
        { name: 'sound', description: '', parameters: {}, origin, execute: async () => ({ output: '' }) },
      ],
    },
    problems: [],
  };
  const { description, offers } = describe(module);
  expect([description.tools.map(({ name }) => name), offers.tools.map(({ name }) => name)]).toEqual([
    ['sound'],
    ['sound'],
  ]);
  expect(description.hooks.map(({ on, missing }) => [on, missing?.kind])).toEqual([
    ['plain', undefined],
    ['coded', 'not-loaded'],
  ]);
  expect(description.problems.map(({ file, message }) => [file, message])).toEqual([
    ['/p/plugin.ts', 'the tool "odd" cannot be sent to the host process: \'check\' is function.'],
    ['/p/plugin.ts', 'coded: its matcher is code, which cannot be sent to the host process.'],
  ]);
});
