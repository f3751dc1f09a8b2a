import { generateText, stepCountIs, streamText, tool, type ToolSet } from 'ai';
import { MockLanguageModelV3, simulateReadableStream } from 'ai/test';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { EVERYTHING } from '../../events/capabilities.ts';
import { deny, set } from '../../events/effects.ts';
import type { Callbacks } from '../../gather/options.ts';
import { createHooks } from '../../library/create-hooks.ts';
import type { Hooks } from '../../library/hooks.ts';
import { wrapTools } from './wrap-tools.ts';

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};
const call = (toolName: string, input: unknown) => ({
  type: 'tool-call' as const,
  toolCallId: 'call-1',
  toolName,
  input: JSON.stringify(input),
});

/** A model that calls one tool and then returns "done". */
function model(toolName: string, input: unknown): MockLanguageModelV3 {
  const turns = [
    { content: [call(toolName, input)], reason: 'tool-calls' },
    { content: [{ type: 'text', text: 'done' }], reason: 'stop' },
  ] as const;
  let turn = 0;
  const next = () => turns[turn++]!;
  return new MockLanguageModelV3({
    doGenerate: async () => {
      const { content, reason } = next();
      return {
        content: [...content],
        finishReason: { unified: reason, raw: undefined },
        usage,
        warnings: [],
      };
    },
    doStream: async () => {
      const { content, reason } = next();
      const parts = content.map((part): Part[] => (part.type === 'text' ? spoken(part.text) : [part]));
      const finish: Part = { type: 'finish', finishReason: { unified: reason, raw: undefined }, usage };
      return { stream: simulateReadableStream({ chunks: [...parts.flat(), finish] }) };
    },
  });
}

type StreamOf<T> = T extends { stream: ReadableStream<infer P> } ? P : never;
type Part = StreamOf<Awaited<ReturnType<MockLanguageModelV3['doStream']>>>;
const spoken = (text: string): Part[] => [
  { type: 'text-start', id: 't' },
  { type: 'text-delta', id: 't', delta: text },
  { type: 'text-end', id: 't' },
];

/** The tool result that the model received. */
const told = (mock: MockLanguageModelV3): unknown =>
  (mock.doGenerateCalls.at(-1) ?? mock.doStreamCalls.at(-1))!.prompt
    .filter((message) => message.role === 'tool')
    .flatMap((message) => message.content)
    .map((part) => (part.type === 'tool-result' ? part.output : part));

const ask = async (tools: ToolSet, toolName: string, input: unknown) => {
  const mock = model(toolName, input);
  await generateText({ model: mock, tools, prompt: 'go', stopWhen: stepCountIs(3) });
  return told(mock);
};

const open: Hooks[] = [];
const hooksWith = async (callbacks: Callbacks): Promise<Hooks> => {
  const hooks = await createHooks({
    host: { name: 'test', can: EVERYTHING },
    settings: false,
    journal: false,
    hooks: callbacks,
  });
  open.push(hooks);
  return hooks;
};
afterEach(async () => {
  await Promise.all(open.splice(0).map((hooks) => hooks.close()));
});

/** A tool that records its input. */
function shell() {
  const ran: unknown[] = [];
  const tools = {
    shell: tool({
      description: 'Runs a command.',
      inputSchema: z.object({ command: z.string() }),
      execute: async (input) => {
        ran.push(input);
        return `ran ${input.command}`;
      },
    }),
  };
  return { ran, tools };
}

describe('a tool call of the AI SDK', () => {
  test('a tool call runs unchanged when no hook objects', async () => {
    const { ran, tools } = shell();
    const hooks = await hooksWith({});
    expect(await ask(wrapTools(tools, hooks), 'shell', { command: 'ls' })).toEqual([
      { type: 'text', value: 'ran ls' },
    ]);
    expect(ran).toEqual([{ command: 'ls' }]);
  });

  test('a denied tool call does not run, and the model gets the reason', async () => {
    const { ran, tools } = shell();
    const hooks = await hooksWith({ 'tool.before': () => deny('no force pushes') });
    const input = { command: 'git push --force' };
    expect(await ask(wrapTools(tools, hooks), 'shell', input)).toEqual([
      { type: 'error-text', value: expect.stringContaining('no force pushes') },
    ]);
    expect(ran).toEqual([]);
    // Without hooks it would have run, so the hooks refused it.
    await ask(tools, 'shell', input);
    expect(ran).toEqual([input]);
  });

  test('a tool call runs with the input that a hook rewrote', async () => {
    const { ran, tools } = shell();
    const hooks = await hooksWith({ 'tool.before': () => set('input', 'command', 'ls -la') });
    expect(await ask(wrapTools(tools, hooks), 'shell', { command: 'ls' })).toEqual([
      { type: 'text', value: 'ran ls -la' },
    ]);
    expect(ran).toEqual([{ command: 'ls -la' }]);
  });

  test('the model gets the result that a hook changed', async () => {
    const { tools } = shell();
    const hooks = await hooksWith({
      'tool.after': () => set('content', [{ type: 'text', text: 'redacted' }]),
    });
    expect(await ask(wrapTools(tools, hooks), 'shell', { command: 'env' })).toEqual([
      { type: 'text', value: 'redacted' },
    ]);
  });

  test('a tool that throws fires tool.failed, and the model gets the error', async () => {
    const heard: string[] = [];
    const hooks = await hooksWith({ 'tool.failed': ({ payload }) => void heard.push(payload.error) });
    const tools = {
      shell: tool({
        inputSchema: z.object({ command: z.string() }),
        execute: async (): Promise<string> => {
          throw new Error('no such command');
        },
      }),
    };
    expect(await ask(wrapTools(tools, hooks), 'shell', { command: 'sl' })).toEqual([
      { type: 'error-text', value: 'no such command' },
    ]);
    expect(heard).toEqual(['no such command']);
  });

  test('a tool call passes its id to hooks and its options to the tool', async () => {
    const seen: unknown[] = [];
    const hooks = await hooksWith({ 'tool.before': ({ ids }) => void seen.push(ids.call) });
    const tools = {
      shell: tool({
        inputSchema: z.object({ command: z.string() }),
        execute: async (_input, { toolCallId, messages }) => {
          seen.push(toolCallId, messages.length);
          return 'ok';
        },
      }),
    };
    await ask(wrapTools(tools, hooks), 'shell', { command: 'ls' });
    expect(seen).toEqual(['call-1', 'call-1', 1]);
  });
});

describe('a tool that streams', () => {
  const tools = {
    count: tool({
      inputSchema: z.object({ to: z.number() }),
      async *execute({ to }) {
        for (let i = 1; i <= to; i++) yield `at ${i}`;
      },
    }),
  };
  const outputs = async (wrapped: ToolSet) => {
    const mock = model('count', { to: 3 });
    const result = streamText({ model: mock, tools: wrapped, prompt: 'go', stopWhen: stepCountIs(3) });
    const seen: unknown[] = [];
    for await (const part of result.fullStream) {
      if (part.type === 'tool-result') seen.push([part.output, part.preliminary ?? false]);
      if (part.type === 'tool-error') seen.push((part.error as Error).message);
    }
    return { seen, told: told(mock) };
  };

  test('a streaming tool shows its intermediate values, and its last value is its result', async () => {
    const { seen, told } = await outputs(wrapTools(tools, await hooksWith({})));
    expect(seen).toEqual([
      ['at 1', true],
      ['at 2', true],
      ['at 3', true],
      ['at 3', false],
    ]);
    expect(told).toEqual([{ type: 'text', value: 'at 3' }]);
  });

  test('a streaming tool does not show its result before hooks have seen it', async () => {
    const hooks = await hooksWith({
      'tool.after': () => set('content', [{ type: 'text', text: 'redacted' }]),
    });
    const { seen, told } = await outputs(wrapTools(tools, hooks));
    expect(JSON.stringify(seen)).not.toContain('at 3');
    expect(told).toEqual([{ type: 'text', value: 'redacted' }]);
  });

  test('a streaming tool does not start when a hook denies it', async () => {
    const hooks = await hooksWith({ 'tool.before': () => deny('not now') });
    const { seen } = await outputs(wrapTools(tools, hooks));
    expect(seen).toEqual([expect.stringContaining('not now')]);
  });
});

describe('a wrapped set of tools', () => {
  test('a wrapped tool keeps all its other properties', async () => {
    const { tools } = shell();
    const wrapped = wrapTools(tools, await hooksWith({}));
    expect({ ...wrapped.shell, execute: null }).toEqual({ ...tools.shell, execute: null });
    expect(wrapped.shell.execute).not.toBe(tools.shell.execute);
  });

  test('wrapTools reports tools that no hook can guard', async () => {
    const remote = { remote: tool({ inputSchema: z.object({}), outputSchema: z.string() }) };
    const names: string[] = [];
    const hooks = await hooksWith({});
    const wrapped = wrapTools(remote, hooks, { onUnguarded: (name) => names.push(name) });
    expect(names).toEqual(['remote']);
    expect(wrapped.remote).toBe(remote.remote);

    const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
    wrapTools(remote, hooks);
    expect(warned.mock.calls.map(([text]) => text)).toEqual([
      "the tool 'remote' has no execute function: hooks cannot guard it",
    ]);
    warned.mockRestore();
  });
});
