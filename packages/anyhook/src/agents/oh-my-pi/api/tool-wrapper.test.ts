import { describe, expect, test } from 'vitest';
import { runnerOf } from './fixtures/scratch.ts';
import { HookToolWrapper, type WrappedToolResult } from './tool-wrapper.ts';
import type { HookAPI, ToolResultEvent } from './types/index.ts';

const text = (value: string) => [{ type: 'text' as const, text: value }];

function bash(
  outcome: () => WrappedToolResult | Promise<WrappedToolResult> = () => ({ content: text('ran') }),
) {
  const calls: unknown[][] = [];
  const tool = {
    name: 'bash',
    label: 'Bash',
    parameters: { type: 'object' },
    async execute(
      id: string,
      params: Record<string, unknown>,
      signal?: AbortSignal,
      onUpdate?: (update: string) => void,
    ) {
      calls.push([id, params, signal]);
      onUpdate?.('half way');
      return outcome();
    },
  };
  return { tool, calls };
}
const wrapped = (outcome: Parameters<typeof bash>[0], ...factories: ((pi: HookAPI) => void)[]) => {
  const { tool, calls } = bash(outcome);
  const { runner, errors } = runnerOf(factories);
  return { wrapper: new HookToolWrapper(tool, runner), calls, errors };
};

describe('before the tool', () => {
  test('without handlers the tool runs unchanged, and its result is passed on', async () => {
    const result = { content: text('ran'), extra: 1 };
    const { wrapper, calls } = wrapped(() => result);
    const params = { command: 'ls' };
    expect(await wrapper.execute('c1', params)).toBe(result);
    expect(calls[0]![1]).toBe(params);
  });

  test.each([
    [{ block: true, reason: 'no' }, 'no'],
    [{ block: true }, 'Tool execution was blocked by a hook'],
    [{ block: true, reason: '' }, 'Tool execution was blocked by a hook'],
  ])(
    'a handler with %j keeps the tool from running, and there is no tool_result',
    async (answer, message) => {
      const results: unknown[] = [];
      const { wrapper, calls } = wrapped(
        undefined,
        (pi) => pi.on('tool_call', () => answer),
        (pi) => pi.on('tool_result', (event) => void results.push(event)),
      );
      await expect(wrapper.execute('c1', {})).rejects.toThrow(message);
      expect([calls, results]).toEqual([[], []]);
    },
  );

  test('a handler that throws keeps the tool from running: its error is passed on unchanged', async () => {
    const broken = new Error('guard broke');
    const { wrapper, calls } = wrapped(undefined, (pi) => pi.on('tool_call', () => Promise.reject(broken)));
    await expect(wrapper.execute('c1', {})).rejects.toBe(broken);
    expect(calls).toEqual([]);
  });

  test('a thrown non-error is wrapped, and the message says that execution was blocked', async () => {
    const { wrapper } = wrapped(undefined, (pi) => pi.on('tool_call', () => Promise.reject('a word')));
    await expect(wrapper.execute('c1', {})).rejects.toThrow('Hook failed, blocking execution: a word');
  });

  test('a handler cannot change the arguments in place, only by returning others', async () => {
    const spoil = wrapped(undefined, (pi) =>
      pi.on('tool_call', ({ input }) => void (input['command'] = 'rm -rf /')),
    );
    await spoil.wrapper.execute('c1', { command: 'ls' });
    expect(spoil.calls[0]![1]).toEqual({ command: 'ls' });
    const replace = wrapped(undefined, (pi) => pi.on('tool_call', () => ({ input: { command: 'echo' } })));
    await replace.wrapper.execute('c1', { command: 'ls' });
    expect(replace.calls[0]![1]).toEqual({ command: 'echo' });
  });

  test('a block drops the input of another hook', async () => {
    const { wrapper, calls } = wrapped(
      undefined,
      (pi) => pi.on('tool_call', () => ({ input: { command: 'echo' } })),
      (pi) => pi.on('tool_call', () => ({ block: true, reason: 'no', input: { command: 'true' } })),
    );
    await expect(wrapper.execute('c1', { command: 'rm' })).rejects.toThrow('no');
    expect(calls).toEqual([]);
  });

  test('an abort while a hook runs keeps the tool from running', async () => {
    const ending = new AbortController();
    const { wrapper, calls } = wrapped(undefined, (pi) => pi.on('tool_call', () => ending.abort()));
    await expect(wrapper.execute('c1', {}, ending.signal)).rejects.toThrow();
    expect(calls).toEqual([]);
  });
});

describe('the tool itself', () => {
  test('the tool receives signal and progress listener, and keeps its other members', async () => {
    const { wrapper, calls } = wrapped(undefined, (pi) => pi.on('tool_call', () => {}));
    const updates: string[] = [];
    const { signal } = new AbortController();
    await wrapper.execute('c1', {}, signal, (update) => updates.push(update));
    expect([updates, calls[0]![2]]).toEqual([['half way'], signal]);
    expect(wrapper).toMatchObject({ name: 'bash', label: 'Bash', parameters: { type: 'object' } });
  });
});

test('a tool that is a class instance keeps its methods, getters and private state', async () => {
  class Counter {
    readonly name = 'count';
    #count = 0;
    get label() {
      return `Counted ${this.#count}`;
    }
    describe() {
      return this.label;
    }
    async execute(_id: string, _params: Record<string, unknown>): Promise<WrappedToolResult> {
      this.#count++;
      return { content: text('counted') };
    }
  }
  const wrapper = new HookToolWrapper(new Counter(), runnerOf([]).runner);
  await wrapper.execute('c1', {});
  const seen = wrapper as unknown as Counter; // the members besides `execute` are not in its type
  expect([seen.label, seen.describe()]).toEqual(['Counted 1', 'Counted 1']);
});

describe('after the tool', () => {
  test('handlers receive the call and the result', async () => {
    const seen: ToolResultEvent[] = [];
    const { wrapper } = wrapped(
      () => ({ content: text('ran'), details: { exit: 0 } }),
      (pi) => pi.on('tool_result', (event) => void seen.push(event)),
    );
    await wrapper.execute('c1', { command: 'ls' });
    expect(seen).toEqual([
      {
        type: 'tool_result',
        toolName: 'bash',
        toolCallId: 'c1',
        input: { command: 'ls' },
        content: text('ran'),
        details: { exit: 0 },
        isError: false,
      },
    ]);
  });

  test('content and details can be replaced, and fields without an answer stay', async () => {
    const outcome = () => ({ content: text('ran'), details: 1 });
    const content = wrapped(outcome, (pi) => pi.on('tool_result', () => ({ content: text('other') })));
    expect(await content.wrapper.execute('c1', {})).toEqual({ content: text('other'), details: 1 });
    const details = wrapped(outcome, (pi) => pi.on('tool_result', () => ({ details: 2 })));
    expect(await details.wrapper.execute('c1', {})).toEqual({ content: text('ran'), details: 2 });
  });

  test('a returned isError is not applied, and an error result stays one', async () => {
    const good = wrapped(undefined, (pi) => pi.on('tool_result', () => ({ isError: true })));
    expect(await good.wrapper.execute('c1', {})).toEqual({ content: text('ran') });
    const seen: boolean[] = [];
    const bad = wrapped(
      () => ({ content: text('secret failure'), isError: true }),
      (pi) =>
        pi.on(
          'tool_result',
          ({ isError }) => (seen.push(isError), { content: text('failure'), isError: false }),
        ),
    );
    expect(await bad.wrapper.execute('c1', {})).toEqual({ content: text('failure'), isError: true });
    expect(seen).toEqual([true]);
  });

  test('a tool that throws: handlers receive the error text, and the original error is rethrown', async () => {
    const broken = new Error('command failed');
    const seen: unknown[] = [];
    const { wrapper } = wrapped(
      () => Promise.reject(broken),
      (pi) =>
        pi.on('tool_result', ({ content, details, isError }) => {
          seen.push({ content, details, isError });
          return { content: text('all is well'), isError: false };
        }),
    );
    await expect(wrapper.execute('c1', {})).rejects.toBe(broken);
    expect(seen).toEqual([{ content: text('command failed'), details: undefined, isError: true }]);
  });

  test('a handler that throws does not change the result', async () => {
    const { wrapper, errors } = wrapped(undefined, (pi) =>
      pi.on('tool_result', () => Promise.reject(new Error('x'))),
    );
    expect(await wrapper.execute('c1', {})).toEqual({ content: text('ran') });
    expect(errors.length).toBe(1);
  });
});

describe('context for the model', () => {
  const call = (pi: HookAPI) => pi.on('tool_call', () => ({ additionalContext: 'call context' }));
  const result = (pi: HookAPI) => pi.on('tool_result', () => ({ additionalContext: 'result context' }));
  const run = async (outcome: Parameters<typeof bash>[0], ...factories: ((pi: HookAPI) => void)[]) => {
    const told: string[] = [];
    const { wrapper } = wrapped(outcome, ...factories);
    await wrapper
      .execute('c1', {}, undefined, undefined, { addAdditionalContext: (said) => void told.push(said) })
      .catch(() => {});
    return told;
  };

  test("the result's context comes before the call's", async () => {
    expect(await run(undefined, call, result)).toEqual(['result context', 'call context']);
  });
  test("after a failure only the result's context is sent", async () => {
    expect(await run(() => Promise.reject(new Error('x')), call, result)).toEqual(['result context']);
  });
  test('an error result counts as a failure although nothing was thrown', async () => {
    const failed = () => ({ content: text('exit 1'), isError: true });
    expect(await run(failed, call, result)).toEqual(['result context']);
    expect(await run(failed, call)).toEqual([]);
  });
  test('a block drops all context', async () => {
    expect(await run(undefined, call, (pi) => pi.on('tool_call', () => ({ block: true })))).toEqual([]);
  });

  test('an agent without its own context field receives a message through the host', async () => {
    const sent: unknown[] = [];
    const services = { messages: { send: (message: unknown) => void sent.push(message) } };
    const { runner } = runnerOf([call], { services });
    await new HookToolWrapper(bash().tool, runner).execute('c1', {});
    expect(sent).toEqual([{ customType: 'hook-context', content: 'call context', display: false }]);
  });
});
