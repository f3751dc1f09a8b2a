import { Readable, Writable } from 'node:stream';
import { describe, expect, test, vi } from 'vitest';
import {
  callback,
  cancel,
  Ends,
  failure,
  gate,
  never,
  opened,
  request,
  success,
} from './fixtures/streams.ts';
import {
  HookEvent,
  type HookJSONOutput,
  HooksUnsupportedError,
  HookService,
  ProtocolHandler,
} from './index.ts';

const nothing = (): HookJSONOutput => ({});
const DENY: HookJSONOutput = {
  hookSpecificOutput: {
    hookEventName: 'PreToolUse',
    permissionDecision: 'deny',
    permissionDecisionReason: 'no',
  },
};

describe('answers to hook_callback', () => {
  test('nested: the output is the inner response, and an error is a string', async () => {
    const { ends } = opened({
      PreToolUse: () => DENY,
      Stop: () => {
        throw new Error('boom');
      },
    });
    ends.put(callback('r1', 'hook_1'), callback('r2', 'hook_2'), callback('r3', 'hook_9'));
    const heard = await ends.hear(3);
    expect(heard).toHaveLength(3);
    expect(heard).toEqual(
      expect.arrayContaining([
        success('r1', DENY),
        failure('r2', 'hook panicked: boom (see logs for stack trace)'),
        failure('r3', 'unknown callback ID: hook_9 (2 are registered, none with this id)'),
      ]),
    );
  });

  test.each([
    ['hook_1', { result: DENY }],
    [
      'hook_2',
      { error: { code: 'hook_execution_error', message: 'hook panicked: boom (see logs for stack trace)' } },
    ],
    [
      'hook_3',
      { error: { code: 'hook_timeout', message: expect.stringContaining('did not answer in 10 ms') } },
    ],
    [
      'hook_4',
      { error: { code: 'invalid_hook_output', message: expect.stringContaining('decision is "maybe"') } },
    ],
    ['hook_9', { error: { code: 'unknown_callback', message: expect.stringContaining('hook_9') } }],
  ])('flat: %s answers with a result or an error with its code', async (id, expected) => {
    const { ends } = opened(
      {
        PreToolUse: () => DENY,
        Stop: () => {
          throw new Error('boom');
        },
        PreCompact: { hooks: [() => never()], timeout: 0.01 },
        SubagentStop: () => ({ decision: 'maybe' }) as never,
      },
      { codec: 'flat' },
    );
    ends.put(callback('r1', id));
    expect(await ends.hear(1)).toEqual([{ type: 'control_response', request_id: 'r1', ...expected }]);
  });

  test('the callback receives the input, the tool use id and its session', async () => {
    const seen: unknown[] = [];
    const { ends } = opened({ PreToolUse: (...args) => (seen.push(...args), {}) });
    const input = {
      session_id: 's',
      transcript_path: '/t.jsonl',
      cwd: '/p',
      permission_mode: 'plan',
      tool_name: 'Bash',
    };
    ends.put(callback('r1', 'hook_1', { input, tool_use_id: 'toolu_1' }));
    await ends.hear(1);
    expect(seen.slice(0, 2)).toEqual([input, 'toolu_1']);
    expect(seen[2]).toMatchObject({
      sessionId: 's',
      transcriptPath: '/t.jsonl',
      cwd: '/p',
      permissionMode: 'plan',
    });
  });

  test('one slow hook does not block reading: many requests run and each is answered', async () => {
    const slow = gate<HookJSONOutput>();
    const { ends, handler } = opened({ PreToolUse: () => slow.passed, Stop: nothing });
    ends.put(
      callback('slow', 'hook_1'),
      ...Array.from({ length: 200 }, (_, at) => callback(`r${at}`, 'hook_2')),
    );
    await ends.hear(200);
    expect(ends.heard.map((frame) => (frame['response'] as { request_id: string }).request_id)).not.toContain(
      'slow',
    );
    expect(handler.inFlight).toBe(1);
    slow.open({});
    await ends.hear(201);
    expect(ends.heard.at(-1)).toEqual(success('slow', {}));
    expect(handler.inFlight).toBe(0);
  });
});

describe('cancellation', () => {
  test('a cancelled request gets no answer, and its hook is aborted', async () => {
    let signal: AbortSignal | undefined;
    const { ends, handler } = opened({
      PreToolUse: (_i, _t, context) => ((signal = context.signal), never()),
      Stop: nothing,
    });
    ends.put(callback('r1', 'hook_1'));
    await vi.waitFor(() => expect(signal).toBeDefined());
    ends.put(cancel('r1'), callback('r2', 'hook_2'));
    expect(await ends.hear(1)).toEqual([success('r2', {})]);
    expect([signal!.aborted, handler.inFlight]).toEqual([true, 0]);
  });

  test('a cancel for an unknown or finished request is ignored', async () => {
    const { ends } = opened({ Stop: nothing });
    ends.put(cancel('never'), callback('r1', 'hook_1'));
    await ends.hear(1);
    ends.put(cancel('r1'), callback('r2', 'hook_1'));
    expect(await ends.hear(2)).toEqual([success('r1', {}), success('r2', {})]);
  });

  test('close cancels all running hooks and answers their requests', async () => {
    const signals: AbortSignal[] = [];
    const { ends, handler } = opened(
      { PreToolUse: (_i, _t, { signal }) => (signals.push(signal), never()) },
      { codec: 'flat' },
    );
    ends.put(callback('r1', 'hook_1'), callback('r2', 'hook_1'));
    await vi.waitFor(() => expect(signals).toHaveLength(2));
    await handler.close();
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
    expect(await ends.hear(2)).toEqual(
      ['r1', 'r2'].map((id) => ({
        type: 'control_response',
        request_id: id,
        error: { code: 'hook_cancelled', message: expect.stringContaining('the stream was cancelled') },
      })),
    );
    ends.put(callback('r3', 'hook_1'));
    await handler.close();
    expect([ends.heard.length, ends.output.writableEnded]).toEqual([2, false]);
  });
});

describe('initialize', () => {
  test('nested: initialize sends hooks by event and matcher, and null without hooks', async () => {
    const { ends, handler } = opened({
      [HookEvent.PreToolUse]: [
        { matcher: 'Bash', hooks: [nothing, nothing], timeout: 30, onFailure: 'block' },
        { hooks: [nothing], onFailure: 'allow' },
      ],
      [HookEvent.Stop]: nothing,
    });
    const ready = handler.initialize();
    const [frame] = await ends.hear(1);
    expect(frame).toEqual({
      type: 'control_request',
      request_id: expect.stringMatching(/^req_1_[0-9a-f]{8}$/),
      request: {
        subtype: 'initialize',
        hooks: {
          PreToolUse: [
            { matcher: 'Bash', hookCallbackIds: ['hook_1', 'hook_2'], timeout: 30, onFailure: 'block' },
            { matcher: null, hookCallbackIds: ['hook_3'], onFailure: 'continue' },
          ],
          Stop: [{ matcher: null, hookCallbackIds: ['hook_4'] }],
        },
      },
    });
    const reply = { hooks_applied: true, hook_on_failure_supported: true };
    ends.put(success(String(frame!['request_id']), reply));
    expect(await ready).toEqual(reply);

    const bare = opened(null);
    void bare.handler.initialize();
    expect(await bare.ends.hear(1)).toMatchObject([{ request: { subtype: 'initialize', hooks: null } }]);
    bare.ends.put(success(String(bare.ends.heard[0]!['request_id']), {}));
  });

  test('flat: initialize sends the event name by id', async () => {
    const { ends, handler } = opened({ PreToolUse: nothing, Stop: nothing }, { codec: 'flat' });
    const ready = handler.initialize();
    const [frame] = await ends.hear(1);
    expect(frame!['request']).toEqual({
      subtype: 'initialize',
      hookCallbacks: { hook_1: 'PreToolUse', hook_2: 'Stop' },
    });
    ends.put({ type: 'control_response', request_id: frame!['request_id'], result: { ok: true } });
    expect(await ready).toEqual({ ok: true });
  });

  test('start writes nothing', async () => {
    const { ends } = opened({ Stop: nothing });
    await new Promise((done) => setTimeout(done, 20));
    expect(ends.heard).toEqual([]);
  });

  test.each([
    [{ hooks_applied: false }, 'allow', 'it did not register our hooks'],
    [{ hooks_applied: true }, 'block', 'onFailure: "block", which this version does not support'],
  ] as const)(
    'initialize rejects if the CLI answers %j, because it cannot apply the hooks',
    async (reply, onFailure, said) => {
      const { ends, handler } = opened({ PreToolUse: { hooks: [nothing], onFailure } });
      const ready = handler.initialize();
      const [frame] = await ends.hear(1);
      ends.put(success(String(frame!['request_id']), reply));
      const error = await ready.catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(HooksUnsupportedError);
      expect((error as Error).message).toContain(said);
    },
  );

  test('a timeout, a refusal and a disconnected peer are three errors, and none hangs', async () => {
    const late = opened(null, { requestTimeoutMs: 10 });
    await expect(late.handler.initialize()).rejects.toThrow('initialize: no answer in 10 ms');
    expect(await late.ends.hear(2)).toMatchObject([
      { type: 'control_request' },
      { type: 'control_cancel_request' },
    ]);

    const refused = opened(null);
    const ready = refused.handler.initialize();
    const [frame] = await refused.ends.hear(1);
    refused.ends.put(failure(String(frame!['request_id']), 'not here'));
    await expect(ready).rejects.toThrow('initialize: not here');

    const left = opened(null);
    const gone = left.handler.initialize();
    left.ends.input.end();
    await expect(gone).rejects.toThrow('initialize: the peer closed the channel');
    await expect(left.handler.initialize()).rejects.toThrow('the peer closed the channel');
  });
});

describe('invalid frames', () => {
  test('a line that is not a frame is logged and skipped', async () => {
    const { ends, logged } = opened({ Stop: nothing });
    ends.input.write(
      '\n[debug] hello\n{"type":"control_request"\n[]\n"text"\n{"type":"control_request"}\n{"no":"type"}\n',
    );
    ends.put(callback('r1', 'hook_1'));
    expect(await ends.hear(1)).toEqual([success('r1', {})]);
    expect(logged.map(({ message }) => message.replace(/: .*/, ''))).toEqual(
      Array.from({ length: 6 }, () => 'a line was skipped'),
    );
  });

  test('a frame may arrive in chunks that split a character', async () => {
    const { ends } = opened({
      Stop: (input) => ({ systemMessage: String((input as { text?: string }).text) }),
    });
    const bytes = Buffer.from(
      `${JSON.stringify(callback('r1', 'hook_1', { input: { text: 'grüße 🪝' } }))}\n`,
    );
    for (const byte of bytes) ends.input.write(Buffer.from([byte]));
    expect(await ends.hear(1)).toEqual([success('r1', { systemMessage: 'grüße 🪝' })]);
  });

  test('a frame beyond the limit is refused by its id, and the next one is read', async () => {
    const { ends, logged } = opened({ Stop: nothing }, { maxFrameBytes: 2000 });
    ends.put(callback('giant', 'hook_1', { input: { text: 'x'.repeat(100_000) } }), callback('r2', 'hook_1'));
    const heard = await ends.hear(2);
    expect(heard).toEqual(
      expect.arrayContaining([
        failure(
          'giant',
          expect.stringMatching(/^a frame of 100\d+ bytes was skipped; at most 2000 are read$/),
        ),
        success('r2', {}),
      ]),
    );
    expect(logged.map(({ level }) => level)).toEqual(['error']);
  });

  test('a giant line with an ambiguous id gets no answer', async () => {
    const { ends } = opened({ Stop: nothing }, { maxFrameBytes: 2000 });
    ends.put({
      request: { input: { request_id: 'r2', pad: 'x'.repeat(5000) } },
      type: 'control_request',
      request_id: 'r1',
    });
    ends.put(callback('r2', 'hook_1'));
    expect(await ends.hear(1)).toEqual([success('r2', {})]);
  });

  test.each([
    ['an unknown subtype', request('r1', { subtype: 'dance' }), 'unsupported control request subtype: dance'],
    [
      'no subtype',
      { type: 'control_request', request_id: 'r1', request: 7 },
      'unsupported control request subtype: (none)',
    ],
    ['no callback id', request('r1', { subtype: 'hook_callback' }), 'hook_callback: callback_id is missing'],
    [
      'an input that is not an object',
      callback('r1', 'hook_1', { input: 'text' }),
      'hook_callback hook_1: input is not an object',
    ],
  ])('%s gets an error', async (_title, frame, said) => {
    const { ends } = opened({ Stop: nothing });
    ends.put(frame);
    expect(await ends.hear(1)).toEqual([failure('r1', said)]);
  });

  test('a second request with the id of a running one is answered once, and the id can be reused later', async () => {
    let calls = 0;
    const { open, passed } = gate();
    const { ends } = opened({ Stop: async () => (calls++, await passed, {}) });
    ends.put(callback('r1', 'hook_1'), callback('r1', 'hook_1'));
    await vi.waitFor(() => expect(calls).toBe(1));
    open();
    await ends.hear(1);
    ends.put(callback('r1', 'hook_1'));
    expect(await ends.hear(2)).toEqual([success('r1', {}), success('r1', {})]);
    expect(calls).toBe(2);
  });

  test('an answer without pending request is ignored', async () => {
    const { ends, logged } = opened({ Stop: nothing });
    ends.put(success('req_7_00000000', {}), callback('r1', 'hook_1'));
    await ends.hear(1);
    expect(logged.map(({ message }) => message)).toEqual([
      'an answer to req_7_00000000, which has no pending request',
    ]);
  });
});

describe('the peer', () => {
  test('requests that run when the input ends can still be answered', async () => {
    const ends = new Ends();
    const service = new HookService();
    service.registerHooks({ Stop: async () => (await new Promise((done) => setTimeout(done, 30)), {}) });
    const input = Readable.from([Buffer.from(`${JSON.stringify(callback('r1', 'hook_1'))}\n`)]);
    new ProtocolHandler({ service, input, output: ends.output }).start();
    expect(await ends.hear(1)).toEqual([success('r1', {})]);
  });

  test.each(['end', 'destroy', 'output'] as const)(
    'a disconnected peer (%s) cancels its hooks, and nothing hangs',
    async (how) => {
      let signal: AbortSignal | undefined;
      const gone = gate<string>();
      const { ends, handler } = opened(
        { Stop: (_i, _t, context) => ((signal = context.signal), never()) },
        { onGone: gone.open },
      );
      ends.put(callback('r1', 'hook_1'));
      await vi.waitFor(() => expect(signal).toBeDefined());
      if (how === 'end') ends.input.end();
      else if (how === 'destroy') ends.input.destroy();
      else ends.output.destroy(new Error('EPIPE'));
      expect(await gone.passed).toMatch(/closed|EPIPE/);
      expect([signal!.aborted, handler.inFlight, ends.heard]).toEqual([true, 0, []]);
      await handler.close();
    },
  );

  test('an incomplete frame at the end is reported', async () => {
    const { ends, logged } = opened({ Stop: nothing });
    ends.input.end('{"type":"control_req');
    await vi.waitFor(() =>
      expect(logged.map(({ message }) => message)).toEqual(['the last frame is cut off']),
    );
  });

  test('requests are not read while the peer does not read our answers', async () => {
    const service = new HookService();
    let calls = 0;
    service.registerHooks({ Stop: () => (calls++, { systemMessage: 'x'.repeat(1000) }) });
    const waiting: (() => void)[] = [];
    const output = new Writable({
      highWaterMark: 4000,
      write: (_chunk, _encoding, done) => void waiting.push(done),
    });
    const { input } = new Ends();
    new ProtocolHandler({ service, input, output }).start();
    const frame = (at: number) => `${JSON.stringify(callback(`r${at}`, 'hook_1'))}\n`;
    for (let at = 0; at < 50; at++) {
      input.write(frame(at));
      await new Promise((done) => setImmediate(done));
    }
    expect([calls < 10, input.isPaused()]).toEqual([true, true]);
    while (calls < 50 || waiting.length > 0) {
      waiting.shift()?.();
      await new Promise((done) => setImmediate(done));
    }
    expect([calls, input.isPaused()]).toEqual([50, false]);
  });

  test('messages outside the control protocol reach the listener, even one that throws', async () => {
    const heard: unknown[] = [];
    const { ends } = opened(
      { Stop: nothing },
      {
        onMessage: (message) => {
          heard.push(message);
          throw new Error('listener');
        },
      },
    );
    ends.put({ type: 'assistant', message: {} }, callback('r1', 'hook_1'));
    await ends.hear(1);
    expect(heard).toEqual([{ type: 'assistant', message: {} }]);
  });

  test('the program can answer further subtypes', async () => {
    const { ends } = opened(null, {
      requests: {
        can_use_tool: (body) => ({ behavior: 'allow', updatedInput: body['input'] }),
        bad: () => ({ big: 1n }),
      },
    });
    ends.put(request('r1', { subtype: 'can_use_tool', input: { a: 1 } }), request('r2', { subtype: 'bad' }));
    const heard = await ends.hear(2);
    expect(heard).toEqual(
      expect.arrayContaining([
        success('r1', { behavior: 'allow', updatedInput: { a: 1 } }),
        failure('r2', expect.stringContaining('BigInt')),
      ]),
    );
  });
});
