import { describe, expect, test, vi } from 'vitest';
import { gate, never, recorder } from './fixtures/streams.ts';
import {
  HOOK_EVENTS,
  HookCancelledError,
  type HookContext,
  HookEvent,
  type HookJSONOutput,
  HookPanicError,
  HookService,
  HookTimeoutError,
  InvalidHookOutputError,
  UnknownCallbackError,
} from './index.ts';

const nothing = (): HookJSONOutput => ({});
const caught = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => expect.fail('it should not have resolved'),
    (error: unknown) => error,
  );

describe('registration', () => {
  test('ids are assigned in registration order, starting with hook_1', () => {
    const service = new HookService();
    const ids = service.registerHooks({ Stop: nothing, PreToolUse: nothing });
    expect(ids).toEqual({ hook_1: 'Stop', hook_2: 'PreToolUse' });
    expect(Object.keys(ids)).toEqual(['hook_1', 'hook_2']);
    expect(service.registerHooks({ PreCompact: nothing })).toEqual({ hook_3: 'PreCompact' });
  });

  test('firstId 0 assigns ids from 0', () => {
    expect(new HookService({ firstId: 0 }).registerHooks({ Stop: nothing })).toEqual({ hook_0: 'Stop' });
    expect(() => new HookService({ firstId: -1 })).toThrow(
      new RangeError('firstId is -1; expected an integer of 0 or more'),
    );
  });

  test('every callback of every matcher has its own id', () => {
    const service = new HookService();
    const ids = service.registerHooks({
      PreToolUse: [
        { matcher: 'Bash', hooks: [nothing, nothing], timeout: 5, onFailure: 'block' },
        { hooks: [nothing] },
      ],
      Stop: { hooks: [nothing] },
    });
    expect(ids).toEqual({ hook_1: 'PreToolUse', hook_2: 'PreToolUse', hook_3: 'PreToolUse', hook_4: 'Stop' });
    expect(
      service.matchers.map(({ entry, ids: own }) => [entry.matcher, own, entry.timeoutMs, entry.onFailure]),
    ).toEqual([
      ['Bash', ['hook_1', 'hook_2'], 5000, 'block'],
      [null, ['hook_3'], undefined, undefined],
      [null, ['hook_4'], undefined, undefined],
    ]);
  });

  test('no hooks give no ids', () => {
    const service = new HookService();
    expect([
      service.registerHooks(null),
      service.registerHooks(undefined),
      service.registerHooks({}),
    ]).toEqual([{}, {}, {}]);
    expect([service.size, service.problems]).toEqual([0, []]);
  });

  test('concurrent registrations lose no callback and assign no id twice', async () => {
    const service = new HookService();
    const all = await Promise.all(
      Array.from({ length: 100 }, async (_, at) => {
        await new Promise((done) => setTimeout(done, at % 7));
        return service.registerHooks({ PreToolUse: nothing, Stop: nothing });
      }),
    );
    const ids = all.flatMap((one) => Object.keys(one));
    expect(new Set(ids).size).toBe(200);
    expect(ids.toSorted()).toEqual(Array.from({ length: 200 }, (_, at) => `hook_${at + 1}`).toSorted());
  });

  test('HookEvent is a value with every event of the CLI, the six of the document first', () => {
    expect(HOOK_EVENTS.slice(0, 6)).toEqual([
      HookEvent.PreToolUse,
      HookEvent.PostToolUse,
      HookEvent.UserPromptSubmit,
      HookEvent.Stop,
      HookEvent.SubagentStop,
      HookEvent.PreCompact,
    ]);
    expect(HOOK_EVENTS).toHaveLength(33);
    const ids = new HookService().registerHooks(
      Object.fromEntries(HOOK_EVENTS.map((event) => [event, nothing])),
    );
    expect(Object.values(ids)).toEqual(HOOK_EVENTS);
  });
});

describe('calling', () => {
  test('the callback receives the unchanged input, the tool use id and a complete context', async () => {
    const service = new HookService();
    const seen: unknown[] = [];
    service.registerHooks({
      PreToolUse: (...args) => {
        seen.push(...args);
        return { systemMessage: 'seen' };
      },
    });
    const input = { tool_name: 'Bash', tool_input: { command: 'ls' }, session_id: 's', extra: [1] };
    expect(await service.executeCallback('hook_1', input, 'toolu_1', { context: { cwd: '/p' } })).toEqual({
      systemMessage: 'seen',
    });
    const { signal, ...context } = seen[2] as HookContext;
    expect([seen[0], seen[1], context, signal instanceof AbortSignal]).toEqual([
      input,
      'toolu_1',
      { sessionId: 's', transcriptPath: null, cwd: '/p', permissionMode: null },
      true,
    ]);
  });

  test('the callback receives null without a tool use id', async () => {
    const service = new HookService();
    let seen: unknown = 'untouched';
    service.registerHooks({ Stop: (_input, toolUseId) => ((seen = toolUseId), {}) });
    await service.executeCallback('hook_1', {});
    expect(seen).toBeNull();
  });

  test('an unknown id has its own error', async () => {
    const error = await caught(new HookService().executeCallback('hook_9', {}, null));
    expect(error).toBeInstanceOf(UnknownCallbackError);
    expect(error).toMatchObject({
      code: 'unknown_callback',
      callbackId: 'hook_9',
      message: 'unknown callback ID: hook_9 (none is registered)',
    });
  });

  test.each([
    [
      'a throw',
      () => {
        throw new TypeError('boom');
      },
      'boom',
      true,
    ],
    ['a rejection', () => Promise.reject(new Error('later')), 'later', true],
    [
      'a text thrown',
      () => {
        throw 'just text';
      },
      'just text',
      false,
    ],
    [
      'undefined thrown',
      () => {
        throw undefined;
      },
      'threw undefined',
      false,
    ],
    [
      'a hostile object thrown',
      () => {
        throw {
          get message() {
            throw new Error('trap');
          },
        };
      },
      'threw an object without a message',
      false,
    ],
  ] as const)(
    '%s is a panic: structured, with its cause, its stack in the log, and no effect on other hooks',
    async (_title, callback, said, hasStack) => {
      const { logger, logged } = recorder();
      const service = new HookService({ logger });
      service.registerHooks({ PreToolUse: callback as () => HookJSONOutput, Stop: nothing });
      const error = await caught(service.executeCallback('hook_1', {}, null));
      expect(error).toBeInstanceOf(HookPanicError);
      expect(error).toMatchObject({
        code: 'hook_execution_error',
        event: 'PreToolUse',
        message: `hook panicked: ${said} (see logs for stack trace)`,
      });
      expect('cause' in (error as object)).toBe(true);
      expect(logged.map(({ level, message }) => [level, message])).toEqual([
        ['error', `hook hook_1 (PreToolUse) panicked: ${said}`],
      ]);
      expect(String(logged[0]!.details['stack']).includes('service.test.ts')).toBe(hasStack);
      expect(await service.executeCallback('hook_2', {}, null)).toEqual({});
    },
  );

  test('the cause of a panic is the thrown value itself', async () => {
    const thrown = new Error('boom');
    const service = new HookService();
    service.registerHooks({
      Stop: () => {
        throw thrown;
      },
    });
    expect(((await caught(service.executeCallback('hook_1', {}, null))) as Error).cause).toBe(thrown);
  });

  test('the logger receives timeouts, invalid output and unknown ids, with hook and event', async () => {
    const { logger, logged } = recorder();
    const service = new HookService({ logger });
    service.registerHooks({ PreToolUse: () => never(), Stop: () => ({ decision: 'maybe' }) as never });
    const ends = [
      service.executeCallback('hook_1', {}, null, { timeoutMs: 20 }),
      service.executeCallback('hook_2', {}),
      service.executeCallback('hook_9', {}),
    ];
    expect((await Promise.allSettled(ends)).map(({ status }) => status)).toEqual(Array(3).fill('rejected'));
    expect(JSON.stringify(logged)).toMatch(
      /hook hook_1 \(PreToolUse\) timed out: the hook did not answer in 20 ms/,
    );
    expect(JSON.stringify(logged)).toMatch(/invalid output of hook hook_2 \(Stop\)/);
    expect(JSON.stringify(logged)).toMatch(/hook_9/);
  });

  test('a logger that throws changes nothing', async () => {
    const service = new HookService({
      logger: {
        error() {
          throw new Error('log');
        },
      },
    });
    service.registerHooks({
      Stop: () => {
        throw new Error('boom');
      },
    });
    expect(await caught(service.executeCallback('hook_1', {}, null))).toBeInstanceOf(HookPanicError);
  });
});

describe('timeout and cancellation', () => {
  /** The matrix of the document: one row per behaviour of a hook, with the result for the caller. */
  const rows = [
    {
      row: 'completes normally',
      timeoutMs: 10_000,
      works: true,
      abortAfterMs: null,
      expected: { output: { systemMessage: 'done' } },
    },
    {
      row: 'exceeds its time',
      timeoutMs: 20,
      works: false,
      abortAfterMs: null,
      expected: { error: HookTimeoutError, code: 'hook_timeout' },
    },
    {
      row: 'stream cancelled during the hook',
      timeoutMs: 10_000,
      works: false,
      abortAfterMs: 20,
      expected: { error: HookCancelledError, code: 'hook_cancelled' },
    },
    {
      row: 'both, the cancel first',
      timeoutMs: 10_000,
      works: false,
      abortAfterMs: 1,
      expected: { error: HookCancelledError, code: 'hook_cancelled' },
    },
    {
      row: 'both, the timeout first',
      timeoutMs: 1,
      works: false,
      abortAfterMs: 10_000,
      expected: { error: HookTimeoutError, code: 'hook_timeout' },
    },
  ] as const;
  test.each(rows)('$row', async ({ timeoutMs, works, abortAfterMs, expected }) => {
    const service = new HookService();
    let signal: AbortSignal | undefined;
    service.registerHooks({
      PreToolUse: (_input, _id, context) => {
        signal = context.signal;
        return works ? { systemMessage: 'done' } : never<HookJSONOutput>();
      },
    });
    const stream = new AbortController();
    const timer = abortAfterMs === null ? undefined : setTimeout(() => stream.abort(), abortAfterMs);
    const running = service.executeCallback('hook_1', {}, null, { signal: stream.signal, timeoutMs });
    if ('output' in expected) expect(await running).toEqual(expected.output);
    else {
      const error = await caught(running);
      expect(error).toBeInstanceOf(expected.error);
      expect(error).toMatchObject({ code: expected.code, callbackId: 'hook_1', event: 'PreToolUse' });
    }
    clearTimeout(timer);
    expect(signal!.aborted).toBe('error' in expected);
  });

  test("a signal aborted with a TimeoutError is the caller's own deadline: a timeout, not a cancellation", async () => {
    const service = new HookService();
    service.registerHooks({ Stop: () => never() });
    const error = await caught(
      service.executeCallback('hook_1', {}, null, { signal: AbortSignal.timeout(10) }),
    );
    expect(error).toBeInstanceOf(HookTimeoutError);
  });

  test('an aborted signal runs no callback', async () => {
    const service = new HookService();
    let calls = 0;
    service.registerHooks({ Stop: () => (calls++, {}) });
    expect(
      await caught(service.executeCallback('hook_1', {}, null, { signal: AbortSignal.abort() })),
    ).toBeInstanceOf(HookCancelledError);
    expect(calls).toBe(0);
  });

  test("the caller's timeout overrides the matcher's, which overrides the service's", async () => {
    const service = new HookService({ timeoutMs: 10 });
    const slow = async (): Promise<HookJSONOutput> => {
      await new Promise((done) => setTimeout(done, 80));
      return {};
    };
    service.registerHooks({ PreToolUse: [{ hooks: [slow] }, { hooks: [slow], timeout: 30 }] });
    expect(await caught(service.executeCallback('hook_1', {}, null))).toBeInstanceOf(HookTimeoutError);
    expect(await service.executeCallback('hook_1', {}, null, { timeoutMs: 30_000 })).toEqual({});
    expect(await service.executeCallback('hook_2', {}, null)).toEqual({});
    expect(await caught(service.executeCallback('hook_2', {}, null, { timeoutMs: 5 }))).toBeInstanceOf(
      HookTimeoutError,
    );
  });

  test('the default timeout of the service is 30 seconds', async () => {
    vi.useFakeTimers();
    try {
      const service = new HookService();
      service.registerHooks({ Stop: () => never() });
      const running = caught(service.executeCallback('hook_1', {}, null));
      await vi.advanceTimersByTimeAsync(29_999);
      let error: unknown;
      void running.then((one) => (error = one));
      await vi.advanceTimersByTimeAsync(0);
      expect(error).toBeUndefined();
      await vi.advanceTimersByTimeAsync(1);
      expect(error).toBeInstanceOf(HookTimeoutError);
    } finally {
      vi.useRealTimers();
    }
  });

  test('aborting the stream cancels all its running hooks', async () => {
    const service = new HookService();
    const signals: AbortSignal[] = [];
    service.registerHooks({
      PreToolUse: (_input, _id, { signal }) => (signals.push(signal), never<HookJSONOutput>()),
    });
    const stream = new AbortController();
    const running = Array.from({ length: 50 }, () =>
      caught(service.executeCallback('hook_1', {}, null, { signal: stream.signal })),
    );
    stream.abort(new Error('the person left'));
    expect(signals.map(({ aborted }) => aborted)).toEqual(Array.from({ length: 50 }, () => true));
    const errors = await Promise.all(running);
    expect(errors.every((error) => error instanceof HookCancelledError)).toBe(true);
    expect((errors[0] as Error).message).toContain('the person left');
  });

  test.each(['returned', 'threw'] as const)(
    'a late result that %s is dropped and recorded',
    async (result) => {
      const { logger, logged } = recorder();
      const heard: unknown[] = [];
      const service = new HookService({ logger, onLate: (late) => heard.push(late) });
      const { open, passed } = gate();
      service.registerHooks({
        PreToolUse: async () => {
          await passed;
          if (result === 'threw') throw new Error('too late');
          return { decision: 'block' };
        },
      });
      expect(await caught(service.executeCallback('hook_1', {}, null, { timeoutMs: 5 }))).toBeInstanceOf(
        HookTimeoutError,
      );
      expect(service.late).toEqual([]);
      open();
      await new Promise((done) => setTimeout(done, 5));
      expect(service.late).toEqual([
        { callbackId: 'hook_1', event: 'PreToolUse', after: 'timeout', result, ms: expect.any(Number) },
      ]);
      expect(heard).toEqual(service.late);
      expect(logged.map(({ message }) => message)).toEqual([
        'hook hook_1 (PreToolUse) timed out: the hook did not answer in 5 ms',
        'late result of hook_1 dropped',
      ]);
    },
  );

  test('a listener for late results that throws has no effect', async () => {
    const { open, passed } = gate();
    const service = new HookService({
      onLate: () => {
        throw new Error('listener');
      },
    });
    service.registerHooks({ Stop: () => passed.then(() => ({})) });
    await caught(service.executeCallback('hook_1', {}, null, { timeoutMs: 5 }));
    open();
    await new Promise((done) => setTimeout(done, 5));
    expect(service.late).toHaveLength(1);
  });
});

describe('output', () => {
  test('an invalid answer is never returned, and the message names the field', async () => {
    const service = new HookService();
    service.registerHooks({
      PreToolUse: () =>
        ({ hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'denny' } }) as never,
    });
    const error = await caught(service.executeCallback('hook_1', {}, null));
    expect(error).toBeInstanceOf(InvalidHookOutputError);
    expect(error).toMatchObject({
      code: 'invalid_hook_output',
      field: 'hookSpecificOutput.permissionDecision',
      message:
        'invalid output of hook hook_1 (PreToolUse): hookSpecificOutput.permissionDecision is "denny"; did you mean "deny"?',
    });
  });

  test('the returned answer is the validated copy, so later changes by the callback have no effect', async () => {
    const answer: { decision: 'block'; reason: string } = { decision: 'block', reason: 'no' };
    const service = new HookService();
    service.registerHooks({ Stop: () => answer });
    const output = await service.executeCallback('hook_1', {}, null);
    answer.reason = 'changed';
    expect(output).toEqual({ decision: 'block', reason: 'no' });
  });
});
