/** Tests the real provider packages against a loopback server that implements their APIs. */

import { APICallError, generateText, jsonSchema, stepCountIs, streamText, tool } from 'ai';
import { type ModelScript, type ModelServer, startModelServer } from 'anyhook/testing';
import { afterEach, describe, expect, test } from 'vitest';
import { openModel } from './open-model.ts';

const open: ModelServer[] = [];
afterEach(() => Promise.all(open.splice(0).map((server) => server.close())));
async function start(script: ModelScript): Promise<ModelServer> {
  const server = await startModelServer({ script });
  open.push(server);
  return server;
}

const PROVIDERS = [
  ['anthropic', () => 'anthropic:claude-sonnet-4-5', 'anthropic'],
  ['openai', () => 'openai:gpt-x', 'openai-responses'],
  ['openai-chat', () => 'openai-chat:gpt-x', 'openai-chat'],
  ['openai-compatible', (url: string) => `openai-compatible:${url}/v1#llama`, 'openai-chat'],
] as const;
const envFor = (url: string) => ({
  ANTHROPIC_API_KEY: 'sk-one',
  ANTHROPIC_BASE_URL: url,
  OPENAI_API_KEY: 'sk-two',
  OPENAI_BASE_URL: `${url}/v1`,
  OPENAI_COMPATIBLE_API_KEY: 'sk-three',
});
const echo = tool({
  inputSchema: jsonSchema<{ text: string }>({
    type: 'object',
    properties: { text: { type: 'string' } },
    required: ['text'],
  }),
  execute: async ({ text }) => `echo: ${text}`,
});
const STILL = { maxRetries: 0, onError: () => {} };

describe.each(PROVIDERS)('%s', (_, spec, kind) => {
  const modelAt = async ({ url }: ModelServer) =>
    (await openModel(spec(url), { env: envFor(url), cwd: '.' })).model;

  test('a provider streams text in the received pieces and sends the configured key', async () => {
    const server = await start([{ text: 'Hello there, all of you.', pieces: 5 }]);
    const deltas: string[] = [];
    const run = streamText({ model: await modelAt(server), prompt: 'hi', tools: { echo }, ...STILL });
    for await (const delta of run.textStream) deltas.push(delta);
    expect(deltas.join('')).toBe('Hello there, all of you.');
    expect(deltas).toHaveLength(5);
    expect(await run.usage).toMatchObject({ inputTokens: 10, outputTokens: 5 });
    const [request] = server.requests;
    expect([request?.kind, request?.body['stream']]).toEqual([kind, true]);
    expect(request?.headers['x-api-key'] ?? request?.headers['authorization']).toMatch(/sk-(one|two|three)$/);
  });

  test('a provider calls tools, and the next request has the result', async () => {
    const server = await start([
      {
        calls: [
          { tool: 'echo', args: { text: 'a' } },
          { tool: 'echo', args: { text: 'b' } },
        ],
        pieces: 3,
      },
      { text: 'done' },
    ]);
    const run = streamText({
      model: await modelAt(server),
      prompt: 'go',
      tools: { echo },
      stopWhen: stepCountIs(3),
      ...STILL,
    });
    expect(await run.text).toBe('done');
    expect((await run.steps)[0]?.toolResults.map(({ output }) => output)).toEqual(['echo: a', 'echo: b']);
    expect(server.requests).toHaveLength(2);
    expect(JSON.stringify(server.requests[1]?.body)).toContain('echo: b');
  });

  test('a provider reports 401 as a final error with status and message', async () => {
    const server = await start([{ status: 401, error: 'the key is wrong', type: 'authentication_error' }]);
    const error = await generateText({
      model: await modelAt(server),
      prompt: 'go',
      tools: { echo },
      maxRetries: 2,
    }).catch((thrown: unknown) => thrown);
    expect(APICallError.isInstance(error)).toBe(true);
    expect(error).toMatchObject({ statusCode: 401, isRetryable: false, message: 'the key is wrong' });
    expect(server.requests).toHaveLength(1);
  });

  test('a provider reports 429 as retryable after the requested delay', async () => {
    const server = await start([
      { status: 429, error: 'slow down', times: 1, headers: { 'retry-after': '7' } },
      { text: 'now' },
    ]);
    const model = await modelAt(server);
    const error = await generateText({ model, prompt: 'go', tools: { echo }, maxRetries: 0 }).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toMatchObject({
      statusCode: 429,
      isRetryable: true,
      responseHeaders: { 'retry-after': '7' },
    });
    expect((await generateText({ model, prompt: 'go', tools: { echo } })).text).toBe('now');
  });

  test('a provider reports a cut stream as partial text and an error, never as a finished answer', async () => {
    const server = await start([{ text: 'word '.repeat(200), pieces: 5, cut: true }]);
    const parts: string[] = [];
    let text = '';
    const run = streamText({ model: await modelAt(server), prompt: 'go', tools: { echo }, ...STILL });
    const reading = (async () => {
      for await (const part of run.fullStream) {
        parts.push(part.type);
        if (part.type === 'text-delta') text += part.text;
      }
    })();
    // The scripted model's `cut` imitates this error.
    expect(await reading.catch((error: unknown) => error)).toMatchObject({
      message: 'Failed to process successful response',
      statusCode: 200,
      isRetryable: true,
      cause: { message: 'terminated', cause: { code: 'UND_ERR_SOCKET' } },
    });
    expect(text).toMatch(/^word word /);
    expect(text.length).toBeLessThan(1000);
    expect(parts).not.toContain('finish');
  });

  test('a provider sends every request through the given fetch', async () => {
    const server = await start([{ text: 'ok' }]);
    const seen: string[] = [];
    const { model } = await openModel(spec(server.url), {
      env: envFor(server.url),
      cwd: '.',
      fetch: (input, init) => {
        seen.push(new URL(input instanceof Request ? input.url : String(input)).pathname);
        return fetch(input, init);
      },
    });
    await generateText({ model, prompt: 'go', tools: { echo } });
    expect(seen).toEqual([server.requests[0]?.path]);
  });
});
