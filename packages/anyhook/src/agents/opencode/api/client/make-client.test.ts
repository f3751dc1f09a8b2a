import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createOpencodeClient as createV2 } from '@opencode-ai/sdk/v2/client';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Fields } from '../../../../events/effects.ts';
import type { Services } from '../../../../events/services.ts';
import { openCredentialStore } from '../auth/store.ts';
import { answerFrom } from './answer.ts';
import { BASE_URL, loadClient, makeClient } from './make-client.ts';
import type { ClientTerms } from './terms.ts';

const folders: string[] = [];
const network = vi.fn(() => Promise.reject(new Error('the network was reached')));
beforeEach(() => void vi.stubGlobal('fetch', network));
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
  vi.unstubAllGlobals();
  expect(network).not.toHaveBeenCalled();
});
function ground(services: Services = {}, more: Partial<ClientTerms> = {}) {
  const root = mkdtempSync(join(tmpdir(), 'anyhook-client-'));
  folders.push(root);
  const directory = join(root, 'project');
  mkdirSync(join(directory, 'src'), { recursive: true });
  writeFileSync(join(directory, 'src', 'a.ts'), 'one\ntwo 2\n');
  writeFileSync(join(root, 'secret'), 'secret');
  const terms: ClientTerms = { services, directory, worktree: directory, ...more };
  return { root, directory, terms, client: makeClient(terms) };
}
const ENTRIES = [
  {
    type: 'message',
    id: 'm1',
    timestamp: '1970-01-01T00:00:01.000Z',
    message: { role: 'user', content: 'hi' },
  },
  {
    type: 'message',
    id: 'm2',
    timestamp: '1970-01-01T00:00:02.000Z',
    message: {
      role: 'assistant',
      content: [
        { type: 'text', text: 'looking' },
        { type: 'toolCall', id: 'c1', name: 'bash', arguments: { command: 'ls' } },
      ],
    },
  },
  {
    type: 'message',
    id: 'm3',
    message: { role: 'toolResult', toolCallId: 'c1', content: [{ type: 'text', text: 'a.ts' }] },
  },
  { type: 'model_change', id: 'm4' },
];

describe('the client of a plugin', () => {
  test('the client reads the session and its messages from the host', async () => {
    const { client, directory } = ground(
      { session: { entries: () => ENTRIES, isIdle: () => false } },
      { session: () => 's1' },
    );
    const session = {
      id: 's1',
      projectID: 'global',
      directory,
      title: '',
      version: '',
      time: { created: 1000, updated: 2000 },
    };
    expect((await client.session.list()).data).toEqual([session]);
    expect((await client.session.get({ path: { id: 's1' } })).data).toEqual(session);
    expect((await client.session.status()).data).toEqual({ s1: { type: 'busy' } });
    const { data = [] } = await client.session.messages({ path: { id: 's1' } });
    expect(data.map(({ info, parts }) => [info.role, parts])).toEqual([
      ['user', [{ id: 'prt_m1_0', sessionID: 's1', messageID: 'm1', type: 'text', text: 'hi' }]],
      [
        'assistant',
        [
          { id: 'prt_m2_0', sessionID: 's1', messageID: 'm2', type: 'text', text: 'looking' },
          {
            id: 'prt_m2_1',
            sessionID: 's1',
            messageID: 'm2',
            type: 'tool',
            callID: 'c1',
            tool: 'bash',
            state: {
              status: 'completed',
              input: { command: 'ls' },
              output: 'a.ts',
              title: '',
              metadata: {},
              time: { start: 0, end: 0 },
            },
          },
        ],
      ],
    ]);
    const lost = await client.session.get({ path: { id: 'other' } });
    expect([lost.response.status, lost.error]).toEqual([
      404,
      { name: 'NotFoundError', data: { message: 'session other does not exist' } },
    ]);
  });

  test('the client sends prompts, with and without waiting for the answer', async () => {
    const sent: unknown[] = [];
    const entries: unknown[] = [];
    const { client } = ground({
      session: {
        entries: () => entries,
        async waitForIdle() {
          entries.push({ id: 'm9', message: { role: 'assistant', content: 'four' } });
        },
      },
      messages: { send: (message, how) => void sent.push([message, how]) },
    });
    const parts = [{ type: 'text' as const, text: '2 + 2?' }];
    const answered = await client.session.prompt({ path: { id: 's1' }, body: { parts } });
    expect(answered.data).toMatchObject({
      info: { id: 'm9', role: 'assistant' },
      parts: [{ type: 'text', text: 'four' }],
    });
    await client.session.prompt({ path: { id: 's1' }, body: { parts, noReply: true } });
    await client.session.promptAsync({ path: { id: 's1' }, body: { parts } });
    const message = { role: 'user', content: '2 + 2?', parts };
    expect(sent).toEqual([
      [message, { trigger: true }],
      [message, { trigger: false }],
      [message, { trigger: true }],
    ]);
    const empty = await client.session.prompt({ path: { id: 's1' }, body: { parts: [] } });
    expect(empty.response.status).toBe(400);
  });

  test('the client logs, shows toasts, writes to the prompt, reads settings and answers permissions', async () => {
    const heard: unknown[] = [];
    let text = 'now ';
    const { client, directory } = ground(
      {
        log: (...said) => void heard.push(said),
        ui: {
          select: async () => undefined,
          confirm: async () => false,
          input: async () => undefined,
          notify: (...said) => void heard.push(said),
          getEditorText: () => text,
          setEditorText: (changed) => void (text = changed),
        },
      },
      {
        config: () => ({ theme: 'dark' }),
        replyToPermission: async (...said) => (heard.push(said), said[0] === 'p1'),
      },
    );
    await client.app.log({ body: { service: 'mine', level: 'warn', message: 'oh', extra: { a: 1 } } });
    await client.tui.showToast({ body: { title: 'T', message: 'done', variant: 'success' } });
    await client.tui.appendPrompt({ body: { text: 'then' } });
    const answer = (permissionID: string) =>
      client.postSessionIdPermissionsPermissionId({
        path: { id: 's1', permissionID },
        body: { response: 'once' },
      });
    expect([(await answer('p1')).data, (await answer('p2')).response.status]).toEqual([true, 404]);
    expect((await client.config.get()).data).toEqual({ theme: 'dark' });
    expect((await client.path.get()).data).toMatchObject({ directory, worktree: directory });
    expect((await client.project.current()).data).toMatchObject({ id: 'global', worktree: directory });
    expect([text, heard]).toEqual([
      'now then',
      [
        ['warn', 'mine: oh', { a: 1 }],
        ['T: done', 'info'],
        ['p1', 'once', 's1'],
        ['p2', 'once', 's1'],
      ],
    ]);
  });

  test('the client reads and finds files of the project, and none outside', async () => {
    const { root, directory, client } = ground();
    symlinkSync(join(root, 'secret'), join(directory, 'link'));
    const read = async (path: string) => {
      const { data, error } = await client.file.read({ query: { path } });
      return data?.content ?? (error as Fields)['name'];
    };
    expect(await Promise.all(['src/a.ts', '../secret', 'link', 'none'].map(read))).toEqual([
      'one\ntwo 2\n',
      'AccessDenied',
      'AccessDenied',
      'NotFoundError',
    ]);
    expect((await client.find.files({ query: { query: 'sats' } })).data).toEqual(['src/a.ts']);
    expect((await client.find.text({ query: { pattern: 'o \\d' } })).data).toMatchObject([
      { path: { text: 'src/a.ts' }, line_number: 2, absolute_offset: 4, lines: { text: 'two 2\n' } },
    ]);
    expect((await client.file.list({ query: { path: 'src' } })).data).toMatchObject([
      { name: 'a.ts', path: 'src/a.ts', type: 'file' },
    ]);
  });

  test('the client stores credentials in the store of the host', async () => {
    const { root, terms } = ground();
    const credentials = openCredentialStore(join(root, 'kept'), { outside: terms.directory });
    const client = makeClient({ ...terms, credentials });
    const body = { type: 'oauth' as const, access: 'a', refresh: 'r', expires: 1 };
    expect((await client.auth.set({ path: { id: 'openai' }, body })).data).toBe(true);
    expect(await credentials.get('openai')).toEqual(body);
    const wrong = await client.auth.set({ path: { id: 'openai' }, body: { type: 'api' } as never });
    expect(wrong.response.status).toBe(400);
  });

  test('the client receives events without a connection', async () => {
    const listeners = new Set<(event: Fields) => void>();
    const { client } = ground(
      {},
      {
        subscribe: (listener) => {
          listeners.add(listener);
          return () => void listeners.delete(listener);
        },
      },
    );
    const { stream } = await client.event.subscribe();
    const first = stream.next();
    await vi.waitFor(() => expect(listeners.size).toBe(1));
    for (const listener of listeners) listener({ type: 'session.idle', properties: {} });
    expect((await first).value).toEqual({ type: 'session.idle', properties: {} });
    await stream.return(undefined as never);
    expect(listeners.size).toBe(0);
    await expect(ground().client.event.subscribe()).rejects.toThrow("needs 'events'");
  });
});

describe('the client as an object', () => {
  const client = () => ground().client as unknown as Record<string, Record<string, unknown>>;

  test('the client has all parts and methods of the SDK before the SDK is loaded', async () => {
    const real = (await loadClient(ground().terms)) as unknown as Record<string, object>;
    const methodsOf = (part: object) =>
      Object.getOwnPropertyNames(Object.getPrototypeOf(part)).filter((name) => name !== 'constructor');
    const partsOf = (whole: object) =>
      Object.entries(whole).flatMap(([name, part]) =>
        name === '_client' ? [] : ([[name, part as object]] as const),
      );
    const shapeOf = (whole: object): unknown =>
      Object.fromEntries([
        ...partsOf(whole).map(([name, part]) => [name, shapeOf(part)]),
        ...methodsOf(whole).map((name) => [name, 'method']),
      ]);
    expect(shapeOf(client())).toEqual(shapeOf(real));
  });

  test('typeof, in, keys, spread, JSON and clones of client parts work', () => {
    const one = client();
    expect(typeof one).toBe('object');
    expect(['session' in one, 'create' in one['session']!, 'nowhere' in one]).toEqual([true, true, false]);
    expect(Object.keys(one)).toContain('session');
    expect(typeof ({ ...one } as typeof one)['session']!['create']).toBe('function');
    expect(JSON.parse(JSON.stringify(one))).toMatchObject({ session: {}, tui: { control: {} } });
    expect(structuredClone(one['session'])).toEqual({});
    expect(one['session']!['nowhere']).toBeUndefined();
  });

  test('agents and commands are those of the settings after hooks changed them', async () => {
    const config = {
      agent: { critic: { description: 'finds faults', mode: 'subagent' }, gone: { disable: true }, odd: 5 },
      command: { review: { template: 'Review', description: 'd' }, empty: {} },
    };
    const { client: whole } = ground({}, { config: () => config });
    expect((await whole.app.agents()).data).toEqual([
      {
        name: 'critic',
        description: 'finds faults',
        mode: 'subagent',
        builtIn: false,
        permission: {},
        tools: {},
        options: {},
      },
    ]);
    expect((await whole.command.list()).data).toEqual([
      { name: 'review', template: 'Review', description: 'd' },
    ]);
    expect((await ground().client.app.agents()).error).toMatchObject({ name: 'ServiceMissing' });
  });

  test('low-level client methods work too', async () => {
    const { client: whole } = ground({}, { config: () => ({ theme: 'dark' }) });
    const raw = (whole as unknown as { _client: { get(o: object): Promise<{ data: unknown }> } })._client;
    expect((await raw.get({ url: '/config' })).data).toEqual({ theme: 'dark' });
  });
});

test('a session that a plugin creates is separate from the session of the user', async () => {
  const asked: unknown[] = [];
  const own = { id: 's1', title: 'Mine', isIdle: false };
  const made = { id: 'side', title: 'Search', parent: 's1', isIdle: true };
  const said: unknown[] = [];
  const { client } = ground(
    {
      session: { entries: () => ENTRIES },
      sessions: {
        open: async (how) => (asked.push(['open', how]), made),
        list: async () => [own, made],
        entries: async (id) => (id === 's1' ? ENTRIES : said),
        async prompt(id, prompt) {
          asked.push(['prompt', id, prompt]);
          said.push({ id: 'e1', message: { role: 'user', content: prompt.text } });
          said.push({ id: 'e2', message: { role: 'assistant', content: [{ type: 'text', text: 'found' }] } });
        },
        abort: async (id) => void asked.push(['abort', id]),
        rename: async (id, title) => void asked.push(['rename', id, title]),
        remove: async (id) => void asked.push(['remove', id]),
      },
    },
    { session: () => 's1' },
  );
  const created = await client.session.create({ body: { title: 'Search', parentID: 's1' } });
  expect(created.data).toMatchObject({ id: 'side', title: 'Search', parentID: 's1' });
  const answer = await client.session.prompt({
    path: { id: 'side' },
    body: { agent: 'explore', system: 'be brief', parts: [{ type: 'text', text: 'where?' }] },
  });
  expect(answer.data).toMatchObject({ info: { role: 'assistant', id: 'e2' }, parts: [{ text: 'found' }] });
  expect((await client.session.list()).data?.map(({ id }) => id)).toEqual(['s1', 'side']);
  expect((await client.session.children({ path: { id: 's1' } })).data?.map(({ id }) => id)).toEqual(['side']);
  expect((await client.session.status()).data).toEqual({ s1: { type: 'busy' }, side: { type: 'idle' } });
  await client.session.update({ path: { id: 'side' }, body: { title: 'Found' } });
  await client.session.abort({ path: { id: 'side' } });
  await client.session.delete({ path: { id: 'side' } });
  expect(asked).toEqual([
    ['open', { title: 'Search', parent: 's1' }],
    ['prompt', 'side', { text: 'where?', reply: true, agent: 'explore', system: 'be brief' }],
    ['rename', 'side', 'Found'],
    ['abort', 'side'],
    ['remove', 'side'],
  ]);
});

describe('missing services', () => {
  test('a missing service is an error with service and remedy, never an exception', async () => {
    const { client } = ground();
    const { data, error, response } = await client.app.log({
      body: { service: 's', level: 'info', message: 'm' },
    });
    expect([data, response.status, error]).toEqual([
      undefined,
      501,
      {
        name: 'ServiceMissing',
        data: {
          message: "client.app.log needs 'log', which this host does not offer",
          service: 'log',
          remedy: "Run the plugin in a host that offers 'log', or do without client.app.log.",
        },
      },
    ]);
    const statuses = await Promise.all([
      client.session.list(),
      client.session.messages({ path: { id: 's' } }),
      client.session.prompt({ path: { id: 's' }, body: { parts: [{ type: 'text', text: 'x' }] } }),
      client.session.create(),
      client.session.share({ path: { id: 's' } }),
      client.tui.showToast({ body: { message: 'm', variant: 'info' } }),
      client.config.get(),
      client.auth.set({ path: { id: 'x' }, body: { type: 'api', key: 'k' } }),
      client.lsp.status(),
    ]);
    expect(statuses.map((one) => one.response.status)).toEqual(statuses.map(() => 501));
    await expect(client.session.list({ throwOnError: true })).rejects.toThrow(
      "client.session needs 'session'",
    );
  });

  test('a failing service is an error too', async () => {
    const { client } = ground({
      log: () => {
        throw new Error('disk full');
      },
    });
    const { error, response } = await client.app.log({ body: { service: 's', level: 'info', message: 'm' } });
    expect([response.status, error]).toEqual([500, { name: 'UnknownError', data: { message: 'disk full' } }]);
    expect(await client).toBe(client);
  });
});

test('a client of the second version gets the same answers', async () => {
  const { terms, directory } = ground({ session: { entries: () => ENTRIES } }, { session: () => 's1' });
  const client = createV2({ baseUrl: BASE_URL, directory, fetch: answerFrom(terms) as typeof fetch });
  expect((await client.session.get({ sessionID: 's1' })).data).toMatchObject({ id: 's1', directory });
  expect((await client.session.messages({ sessionID: 's1', limit: 1 })).data).toMatchObject([
    { info: { id: 'm2' } },
  ]);
});
