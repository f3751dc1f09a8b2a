/** Runs the reference server of the protocol, which uses every feature, behind the proxy. */

import { join } from 'node:path';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { CreateMessageRequestSchema, ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { expect, test, vi } from 'vitest';
import { connected, ground, guard, PATIENT, proxied, textOf } from './ground.ts';

vi.setConfig({ testTimeout: 180_000 }); // several processes each, on whatever machine

const SERVER = [
  process.execPath,
  join(import.meta.dirname, '../../../../node_modules/@modelcontextprotocol/server-everything/dist/index.js'),
  'stdio',
];
const CAPABILITIES = { sampling: {}, elicitation: {}, roots: {} };

async function opened(files: Readonly<Record<string, string>>, how: 'straight' | 'through') {
  const at = ground(files);
  const [command = '', ...args] = SERVER;
  const { env, project: cwd } = at;
  const transport =
    how === 'through'
      ? proxied(at, ['--', ...SERVER])
      : new StdioClientTransport({ command, args, env, cwd, stderr: 'pipe' });
  return connected(transport, CAPABILITIES, (client) => {
    client.setRequestHandler(CreateMessageRequestSchema, () => ({
      model: 'mine',
      role: 'assistant',
      content: { type: 'text', text: 'sampled' },
    }));
    client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'decline' }));
  });
}

test('the reference server lists and answers the same with and without the proxy', async () => {
  const seen = async (how: 'straight' | 'through') => {
    const { client } = await opened({}, how);
    const call = (name: string, args = {}) => client.callTool({ name, arguments: args }, undefined, PATIENT);
    return {
      capabilities: client.getServerCapabilities(),
      instructions: client.getInstructions(),
      tools: await client.listTools({}, PATIENT),
      prompts: await client.listPrompts({}, PATIENT),
      resources: await client.listResources({}, PATIENT),
      templates: await client.listResourceTemplates({}, PATIENT),
      answers: [
        await call('echo', { message: 'hi' }),
        await call('get-sum', { a: 1, b: 2 }),
        await call('get-tiny-image'),
        await call('get-annotated-message', { messageType: 'error', includeImage: true }),
        await call('get-structured-content', { location: 'New York' }),
        await call('get-resource-links', { count: 2 }),
        await call('trigger-sampling-request', { prompt: 'think', maxTokens: 5 }),
        await call('trigger-elicitation-request'),
        await call('echo', { message: 5 }),
      ],
    };
  };
  expect(await seen('through')).toEqual(await seen('straight'));
});

test('a result that is fetched as a task passes through the hooks', async () => {
  const { client } = await opened(
    guard(
      'redact',
      `export default [
         defineHook({ on: 'tool.before', run: ({ payload }) => payload.input.topic === 'no' ? { kind: 'deny', reason: 'not that topic' } : undefined }),
         defineHook({ on: 'tool.after', run: () => ({ kind: 'set', at: ['content'], to: [{ type: 'text', text: 'redacted' }] }) }),
       ];`,
    ),
    'through',
  );
  await client.listTools({}, PATIENT);
  const research = async (topic: string) => {
    const params = { name: 'simulate-research-query', arguments: { topic } };
    const came: [string, string][] = [];
    for await (const message of client.experimental.tasks.callToolStream(params, undefined, PATIENT))
      if (message.type === 'result') came.push([message.type, textOf(message.result)]);
      else if (message.type === 'error') came.push([message.type, message.error.message]);
    return came;
  };
  expect(await research('bees')).toEqual([['result', 'redacted']]);
  expect(await research('no')).toEqual([[expect.anything(), expect.anything()]]);
});
