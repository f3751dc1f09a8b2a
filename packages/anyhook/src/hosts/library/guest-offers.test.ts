/** Tools and logins of a module in its own process: what is no data crosses as a handle. */
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test } from 'vitest';
import { opencode } from '../../dialects/opencode/index.ts';
import { type IsolatedGuest, isolateGuest } from './guest-isolate.ts';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'anyhook-offers-')));
const open: IsolatedGuest[] = [];
afterEach(() => open.splice(0).forEach((one) => one.close()));
afterAll(() => rmSync(root, { recursive: true, force: true }));

async function brought(name: string, text: string): Promise<IsolatedGuest> {
  const file = join(root, name);
  writeFileSync(file, text);
  const module = { file, shown: file, layer: 'user', asker: { file, line: 1 } } as const;
  const terms = { cwd: root, home: root, env: process.env, services: {}, deadlineMs: 20_000 };
  const guest = await isolateGuest(opencode, module, terms, file);
  open.push(guest);
  expect(guest.problems).toEqual([]);
  return guest;
}
const scene = { session: 's', cwd: root };

test('a tool runs over there, with its schema here; an abort reaches it, and ends one that does not listen', async () => {
  const { offers } = await brought(
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
  expect(await givenUp(wait)).not.toContain('its process was ended');
  expect(await pid()).toBe(before);
  expect(await givenUp(deaf)).toContain('its process was ended because it was called off');
  expect(await pid()).not.toBe(before); // a fresh process serves the next call
});

test('a login is driven from here, and its fetch answers as a stream from there', async () => {
  const { offers } = await brought(
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
