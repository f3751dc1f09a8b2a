import {
  generateText,
  type LanguageModelMiddleware,
  stepCountIs,
  streamText,
  tool,
  wrapLanguageModel,
} from 'ai';
import type { MockLanguageModelV3 } from 'ai/test';
import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { ask, context, set } from '../../events/effects.ts';
import type { Callbacks } from '../../gather/options.ts';
import type { Hooks } from '../../library/hooks.ts';
import { hooksWith, personWho, playing } from './fixtures/mock.ts';
import { hookMiddleware } from './middleware.ts';
import { wrapTools } from './wrap-tools.ts';

const wrapped = (model: MockLanguageModelV3, hooks: Hooks) => {
  const middleware: LanguageModelMiddleware = hookMiddleware(hooks);
  return wrapLanguageModel({ model, middleware });
};
type Asking = Parameters<typeof generateText>[0];
async function asked(callbacks: Callbacks, more: Partial<Asking> = {}) {
  const model = playing({ text: 'hello' });
  const hooks = await hooksWith(callbacks);
  await generateText({ prompt: 'go', ...more, model: wrapped(model, hooks) } as Asking); // either prompt or messages
  return { call: model.doGenerateCalls[0]! };
}

describe('a request to a model', () => {
  test('a request without listeners goes out unchanged', async () => {
    const [bare, withHooks] = [playing({ text: 'hi' }), playing({ text: 'hi' })];
    const ask = { system: 'be kind', prompt: 'go', temperature: 0.5, headers: { 'x-a': '1' } };
    await generateText({ ...ask, model: bare });
    await generateText({ ...ask, model: wrapped(withHooks, await hooksWith({})) });
    expect(withHooks.doGenerateCalls).toEqual(bare.doGenerateCalls);
  });

  test('a request has the messages that model.context returned', async () => {
    const seen: unknown[] = [];
    const { call } = await asked(
      {
        'model.context': ({ payload }) => {
          seen.push(payload.messages);
          return set('messages', [
            ...payload.messages,
            { role: 'user', content: 'and be brief' },
            { role: 'custom', content: 'a note', customType: 'note' },
          ]);
        },
      },
      { system: 'be kind' },
    );
    expect(seen).toEqual([[{ role: 'user', content: [{ type: 'text', text: 'go' }] }]]);
    expect(call.prompt).toEqual([
      { role: 'system', content: 'be kind' },
      { role: 'user', content: [{ type: 'text', text: 'go' }] },
      { role: 'user', content: [{ type: 'text', text: 'and be brief' }] },
      { role: 'user', content: [{ type: 'text', text: 'a note' }] },
    ]);
  });

  test('a request keeps files, of which hooks see only type and name', async () => {
    const bytes = new Uint8Array([1, 2, 3]);
    const seen: unknown[] = [];
    const messages = [
      {
        role: 'user' as const,
        content: [
          { type: 'text' as const, text: 'look' },
          { type: 'file' as const, data: bytes, mediaType: 'image/png' },
        ],
      },
    ];
    const { call } = await asked(
      {
        'model.context': ({ payload }) => {
          seen.push(payload.messages[0]);
          return set('messages', [...payload.messages, { role: 'user', content: 'well?' }]);
        },
      },
      { prompt: messages },
    );
    expect(seen).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'look' },
          { type: 'file', data: 'anyhook:file:0', mediaType: 'image/png' },
        ],
      },
    ]);
    expect(call.prompt[0]).toEqual(messages[0]);
    expect(call.prompt).toHaveLength(2);
  });

  test('a request omits invalid messages left by a hook, with a report', async () => {
    const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
    const { call } = await asked({
      'model.context': ({ payload }) => set('messages', [...payload.messages, 'text', { role: 'user' }]),
    });
    expect(call.prompt).toEqual([{ role: 'user', content: [{ type: 'text', text: 'go' }] }]);
    expect(warned.mock.calls.map(([text]) => text)).toEqual([
      'model.context: 2 messages from hooks are invalid and were omitted',
    ]);
    warned.mockRestore();
  });

  test('a request has the system prompt that model.system returned, and keeps provider options of its parts', async () => {
    const cached = { providerOptions: { acme: { cache: true } } };
    const { call } = await asked(
      { 'model.system': ({ payload }) => set('system', [...payload.system, 'Answer in French.']) },
      { system: { role: 'system', content: 'be kind', ...cached } },
    );
    expect(call.prompt.slice(0, 2)).toEqual([
      { role: 'system', content: 'be kind', ...cached },
      { role: 'system', content: 'Answer in French.' },
    ]);
  });

  test('a request has the parameters that model.parameters returned, with options for its own provider', async () => {
    const seen: unknown[] = [];
    const { call } = await asked(
      {
        'model.parameters': ({ payload }) => {
          seen.push(payload);
          return [
            set('temperature', 0),
            set('options', 'effort', 'low'),
            set('headers', 'x-hook', 'yes'),
            set('maxOutputTokens', undefined),
          ];
        },
      },
      {
        temperature: 0.7,
        maxOutputTokens: 100,
        headers: { 'x-own': '1' },
        providerOptions: { acme: { user: 'u' }, other: { kept: true } },
      },
    );
    expect(seen).toEqual([
      {
        model: { providerID: 'acme.chat', modelID: 'one' },
        provider: { id: 'acme' },
        message: { role: 'user', content: [{ type: 'text', text: 'go' }] },
        temperature: 0.7,
        maxOutputTokens: 100,
        options: { user: 'u' },
        headers: expect.objectContaining({ 'x-own': '1' }),
      },
    ]);
    expect(call).toMatchObject({
      temperature: 0,
      providerOptions: { acme: { user: 'u', effort: 'low' }, other: { kept: true } },
      headers: { 'x-own': '1', 'x-hook': 'yes' },
    });
    expect(call.maxOutputTokens).toBeUndefined();
  });

  test('a request is not sent if the program aborted while a hook ran', async () => {
    const stop = new AbortController();
    const model = playing({ text: 'hello' });
    const hooks = await hooksWith({
      'model.context': async () => {
        stop.abort(new Error('enough'));
        await new Promise((resolve) => setTimeout(resolve, 20));
        return undefined;
      },
    });
    await expect(
      generateText({ model: wrapped(model, hooks), prompt: 'go', abortSignal: stop.signal, maxRetries: 0 }),
    ).rejects.toThrow('enough');
    expect(model.doGenerateCalls).toEqual([]);
  });

  test('a request that no hook could judge reports that', async () => {
    const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
    const hooks = await hooksWith({ 'model.context': () => undefined });
    await hooks.close();
    await generateText({ model: wrapped(playing({ text: 'hello' }), hooks), prompt: 'go' });
    expect(warned.mock.calls.map(([text]) => text)).toEqual([
      'hooks: no hook was called: the hooks are closed',
    ]);
    warned.mockRestore();
  });
});

describe('what a model says', () => {
  const redacting: Callbacks = {
    'model.text': ({ payload }) => set('text', payload.text.replaceAll(/sk-\w+/g, '[redacted]')),
  };
  const stream = async (hooks: Hooks, text: string) => {
    const result = streamText({ model: wrapped(playing({ text }), hooks), prompt: 'go' });
    const deltas: string[] = [];
    const metadata: unknown[] = [];
    for await (const part of result.fullStream) {
      if (part.type === 'text-delta') deltas.push(part.text);
      if (part.type === 'text-start') metadata.push(part.providerMetadata);
    }
    return { deltas, metadata, text: await result.text };
  };

  test('a response has the text that model.text returned', async () => {
    const model = playing({ text: 'the key is sk-123' });
    const { text } = await generateText({ model: wrapped(model, await hooksWith(redacting)), prompt: 'go' });
    expect(text).toBe('the key is [redacted]');
  });

  test('streamed text is held back, so that what a hook removes is never shown', async () => {
    expect(await stream(await hooksWith(redacting), 'key sk-123')).toEqual({
      deltas: ['key [redacted]'],
      metadata: [undefined], // the provider's own note is about another text
      text: 'key [redacted]',
    });
  });

  test('unchanged text keeps the provider metadata', async () => {
    expect(await stream(await hooksWith(redacting), 'plain')).toEqual({
      deltas: ['plain'],
      metadata: [{ acme: { item: 'i1' } }],
      text: 'plain',
    });
  });

  test('a stream without listeners is not delayed', async () => {
    expect((await stream(await hooksWith({}), 'abc')).deltas).toEqual(['a', 'b', 'c']);
  });

  test('truncated text also passes through the hooks', async () => {
    const hooks = await hooksWith(redacting);
    const cut = new ReadableStream<unknown>({
      start(controller) {
        controller.enqueue({ type: 'text-start', id: 't' });
        controller.enqueue({ type: 'text-delta', id: 't', delta: 'sk-123' });
        controller.enqueue({ type: 'error', error: 'lost' });
        controller.close();
      },
    });
    const { stream: left } = await hookMiddleware(hooks).wrapStream({
      doStream: async () => ({ stream: cut }),
      params: { prompt: [] },
    });
    const parts: unknown[] = [];
    for await (const part of left) parts.push(part);
    expect(parts).toEqual([
      { type: 'text-start', id: 't' },
      { type: 'text-delta', id: 't', delta: '[redacted]' },
      { type: 'error', error: 'lost' },
    ]);
  });
});

describe('tools and model under the same hooks', () => {
  test('text from a tool’s hook for the model follows the result, in this request and later ones', async () => {
    const hooks = await hooksWith({ 'tool.after': () => context('the build is old') });
    const model = playing(
      { tool: 'shell', input: { command: 'ls' } },
      { tool: 'shell', input: { command: 'pwd' } },
      { text: 'done' },
    );
    const tools = {
      shell: tool({
        inputSchema: z.object({ command: z.string() }),
        execute: async ({ command }) => `ran ${command}`,
      }),
    };
    const ask = { prompt: 'go', stopWhen: stepCountIs(3) };
    await generateText({ ...ask, model: wrapped(model, hooks), tools: wrapTools(tools, hooks) });
    const told = {
      role: 'user',
      content: [{ type: 'text', text: '<context>\nthe build is old\n</context>' }],
    };
    const last = model.doGenerateCalls.at(-1)!.prompt;
    expect(last.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'tool',
      'user',
      'assistant',
      'tool',
      'user',
    ]);
    expect([last[3], last[6]]).toEqual([told, told]);

    // A conversation with other hooks does not see it.
    const other = playing({ tool: 'shell', input: { command: 'ls' } }, { text: 'done' });
    await generateText({ ...ask, model: wrapped(other, await hooksWith({})), tools });
    expect(other.doGenerateCalls.at(-1)!.prompt.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'tool',
    ]);
  });

  test('text that accompanied an unanswered question is dropped with the call', async () => {
    const roles = async (confirm: boolean) => {
      const ui = personWho(async () => confirm);
      const hooks = await hooksWith(
        { 'tool.before': () => [ask('sure?'), context('mind the gap')] },
        { services: { ui } },
      );
      const model = playing({ tool: 'shell', input: { command: 'ls' } }, { text: 'done' });
      const tools = {
        shell: tool({ inputSchema: z.object({ command: z.string() }), execute: async () => 'ran' }),
      };
      const more = { prompt: 'go', stopWhen: stepCountIs(3) };
      await generateText({ ...more, model: wrapped(model, hooks), tools: wrapTools(tools, hooks) });
      return model.doGenerateCalls.at(-1)!.prompt.map(({ role }) => role);
    };
    expect(await roles(false)).toEqual(['user', 'assistant', 'tool']);
    expect(await roles(true)).toEqual(['user', 'assistant', 'tool', 'user']);
  });
});
