/** Messages that hooks do not concern pass unchanged in both directions. */

import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
  ResultSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, test, vi } from 'vitest';
import { bothWays, connected, type Connected, ground, guard, PATIENT, TRANSPORTS } from './ground.ts';

vi.setConfig({ testTimeout: 180_000 }); // several processes each, on whatever machine

const CAPABILITIES = { sampling: {}, elicitation: {}, roots: { listChanged: true } };

function answering(client: Client): void {
  client.setRequestHandler(CreateMessageRequestSchema, ({ params }) => ({
    model: 'mine',
    role: 'assistant',
    content: { type: 'text', text: `thought: ${JSON.stringify(params.messages)}` },
  }));
  client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'accept', content: { name: 'Ada' } }));
  client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [{ uri: 'file:///somewhere' }] }));
}

const failed = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'no error',
    (error: Error) => error.message,
  );

/** All that a client can do, one after the other. */
async function everything({ client, heard }: Connected): Promise<unknown> {
  const call = (name: string, args = {}) => client.callTool({ name, arguments: args }, undefined, PATIENT);
  const progress: unknown[] = [];
  const did = {
    server: [client.getServerVersion(), client.getServerCapabilities()],
    tools: await client.listTools({}, PATIENT),
    echo: await call('echo', { deep: { list: [1, 'two', null] }, 'odd key ü': '\u2028' }),
    data: await call('user'),
    refused: await call('refuse'),
    absent: await call('no-such-tool'),
    thought: await call('think'),
    asked: await call('inquire'),
    roots: await call('roots'),
    slowly: await client.callTool({ name: 'slowly', arguments: {} }, undefined, {
      ...PATIENT,
      onprogress: (one) => progress.push(one),
    }),
    logged: [await client.setLoggingLevel('debug', PATIENT), await call('log')],
    resources: [await client.listResources({}, PATIENT), await client.listResourceTemplates({}, PATIENT)],
    note: await client.readResource({ uri: 'note://one' }, PATIENT),
    memo: await client.readResource({ uri: 'memo://box/x' }, PATIENT),
    prompts: [
      await client.listPrompts({}, PATIENT),
      await client.getPrompt({ name: 'greet', arguments: { name: 'Ada' } }, PATIENT),
    ],
    completed: await client.complete(
      { ref: { type: 'ref/prompt', name: 'greet' }, argument: { name: 'name', value: 'Al' } },
      PATIENT,
    ),
    ping: await client.ping(PATIENT),
    special: await client.request({ method: 'vendor/special', params: { x: 1 } }, ResultSchema, PATIENT),
    unknown: await failed(client.request({ method: 'nobody/knows' }, ResultSchema, PATIENT)),
    inherited: await failed(client.request({ method: 'constructor' }, ResultSchema, PATIENT)),
  };
  await client.notification({ method: 'notifications/roots/list_changed' });
  await vi.waitFor(() => expect(heard.length).toBeGreaterThan(0), PATIENT);
  return { ...did, progress, heard };
}

describe.each(TRANSPORTS)('a server over %s', (kind) => {
  test('every message is the same with and without the proxy', async () => {
    const { straight, through } = await bothWays(kind, ground());
    const alone = await everything(await connected(straight(), CAPABILITIES, answering));
    expect(await everything(await connected(through(), CAPABILITIES, answering))).toEqual(alone);
    expect(alone).toMatchObject({
      heard: [{ method: 'notifications/message' }],
      progress: [{ progress: 1 }, { progress: 2 }],
    });
  });

  test('every message is the same with hooks that observe everything and change nothing', async () => {
    const watch = ['tool.before', 'tool.after', 'tool.failed', 'tool.denied'].map(
      (on) => `{ on: '${on}', run() {} }`,
    );
    const code = `export default [${watch.map((one) => `defineHook(${one})`).join(', ')}];`;
    const { straight, through } = await bothWays(kind, ground(guard('watch', code)));
    const alone = await everything(await connected(straight(), CAPABILITIES, answering));
    expect(await everything(await connected(through(), CAPABILITIES, answering))).toEqual(alone);
  });

  test('the server receives a cancellation of a running request', async () => {
    const at = ground();
    const { client } = await connected((await bothWays(kind, at)).through());
    const stop = new AbortController();
    const running = client.callTool({ name: 'slowly', arguments: {}, _meta: { wait: true } }, undefined, {
      ...PATIENT,
      signal: stop.signal,
      onprogress: ({ progress }) => void (progress === 2 && stop.abort('enough')),
    });
    await expect(running).rejects.toThrow('enough');
    await vi.waitFor(() => expect(at.has('cancelled')).toBe(true), PATIENT);
    expect(await client.ping(PATIENT)).toEqual({});
  });
});
