import { PassThrough } from 'node:stream';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { EVERYTHING } from '../../../events/capabilities.ts';
import { createHooks, type Hooks } from '../../../index.ts';
import { callback, Ends, failure, gate, never, recorder, request, success } from './fixtures/streams.ts';
import {
  CallbackPeer,
  type CodecName,
  HookCancelledError,
  type HookJSONOutput,
  HookPanicError,
  type HooksByEvent,
  HookService,
  HookTimeoutError,
  InvalidHookOutputError,
  type PeerOptions,
  ProtocolHandler,
  UnknownCallbackError,
} from './index.ts';

const open: Hooks[] = [];
afterEach(async () => {
  for (const hooks of open.splice(0)) await hooks.close();
});

/** Connects their SDK to our host. */
async function joined(theirs: HooksByEvent, options: Partial<PeerOptions> = {}, codec: CodecName = 'nested') {
  const [toHost, toSdk] = [new PassThrough(), new PassThrough()];
  const service = new HookService();
  service.registerHooks(theirs);
  const sdk = new ProtocolHandler({ service, input: toSdk, output: toHost, codec });
  const peer = new CallbackPeer({ input: toHost, output: toSdk, codec, ...options });
  const [hooks, reply] = await Promise.all([peer.ready(), sdk.initialize()]);
  return { peer, hooks, sdk, service, reply };
}
const nothing = (): HookJSONOutput => ({});
const deny = (permissionDecisionReason: string): HookJSONOutput => ({
  hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason },
});
const caught = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => expect.fail('it should not have resolved'),
    (error: unknown) => error,
  );

describe("calling another side's callbacks", () => {
  test.each(['nested', 'flat'] as const)(
    '%s: registered callbacks are received, called, and their answer is returned',
    async (codec) => {
      const seen: unknown[] = [];
      const { peer, hooks, reply } = await joined(
        {
          PreToolUse: (input, toolUseId, { sessionId }) => (
            seen.push(input, toolUseId, sessionId),
            deny('no')
          ),
          Stop: nothing,
        },
        {},
        codec,
      );
      expect(Object.keys(hooks)).toEqual(['PreToolUse', 'Stop']);
      expect(reply).toMatchObject({ hooks_applied: true, hook_on_failure_supported: true });
      expect(await peer.call('hook_1', { session_id: 's', tool_name: 'Bash' }, 'toolu_1')).toEqual(
        deny('no'),
      );
      expect(seen).toEqual([{ session_id: 's', tool_name: 'Bash' }, 'toolu_1', 's']);
      expect(await peer.call('hook_2', {})).toEqual({});
    },
  );

  test('every kind of failure has its error class', async () => {
    const { peer } = await joined(
      {
        PreToolUse: () => {
          throw new Error('boom');
        },
        Stop: { hooks: [() => never()], timeout: 0.01 },
      },
      {},
      'flat',
    );
    expect(await caught(peer.call('hook_1', {}))).toBeInstanceOf(HookPanicError);
    expect(await caught(peer.call('hook_2', {}))).toBeInstanceOf(HookTimeoutError);
    expect(await caught(peer.call('hook_9', {}))).toBeInstanceOf(UnknownCallbackError);
    expect(await caught(peer.call('hook_1', {}, null, { signal: AbortSignal.abort() }))).toBeInstanceOf(
      HookCancelledError,
    );
    expect(
      await caught(
        peer.call('hook_1', {}, null, { signal: AbortSignal.abort(new DOMException('t', 'TimeoutError')) }),
      ),
    ).toBeInstanceOf(HookTimeoutError);
  });

  test('an invalid answer is rejected', async () => {
    const ends = new Ends();
    const peer = new CallbackPeer({ input: ends.input, output: ends.output });
    ends.put(
      request('i', { subtype: 'initialize', hooks: { PreToolUse: [{ hookCallbackIds: ['theirs'] }] } }),
    );
    await peer.ready();
    const running = caught(peer.call('theirs', {}));
    const [, asked] = await ends.hear(2);
    ends.put(success(String(asked!['request_id']), { hookSpecificOutput: { permissionDecision: 'deny' } }));
    expect(await running).toBeInstanceOf(InvalidHookOutputError);
  });

  test('a deadline or an abort cancels the request, and a late answer is dropped', async () => {
    const ends = new Ends();
    const { logger, logged } = recorder();
    const peer = new CallbackPeer({ input: ends.input, output: ends.output, logger });
    ends.put(request('i', { subtype: 'initialize', hooks: { Stop: [{ hookCallbackIds: ['theirs'] }] } }));
    await peer.ready();
    expect(await caught(peer.call('theirs', {}, null, { timeoutMs: 10 }))).toBeInstanceOf(HookTimeoutError);
    const [, asked, withdrawn] = await ends.hear(3);
    expect(withdrawn).toEqual({ type: 'control_cancel_request', request_id: asked!['request_id'] });
    ends.put(success(String(asked!['request_id']), { decision: 'block' }));
    const stream = new AbortController();
    const running = caught(peer.call('theirs', {}, null, { signal: stream.signal }));
    stream.abort();
    expect(await running).toBeInstanceOf(HookCancelledError);
    await vi.waitFor(() =>
      expect(logged.map(({ message }) => message)).toEqual([
        expect.stringContaining('which has no pending request'),
      ]),
    );
  });

  test.each([
    { retries: undefined, fails: 1, calls: 1, ends: 'fails' },
    { retries: 2, fails: 2, calls: 3, ends: 'answers' },
    { retries: 2, fails: 9, calls: 3, ends: 'fails' },
  ])(
    'with $retries retries a callback that fails $fails times is called $calls times and $ends',
    async ({ retries, fails, calls, ends }) => {
      let count = 0;
      const flaky = (): HookJSONOutput => {
        if (++count <= fails) throw new Error('flaky');
        return {};
      };
      const { peer } = await joined({ Stop: flaky }, retries === undefined ? {} : { retries });
      const result = await peer.call('hook_1', {}).catch((error: unknown) => error);
      expect([count, result instanceof HookPanicError]).toEqual([calls, ends === 'fails']);
    },
  );

  test('a second initialize is answered but not applied, because the hooks of a session are frozen', async () => {
    const { peer, sdk } = await joined({ Stop: nothing });
    await expect(sdk.initialize()).rejects.toThrow('hooks_applied is false');
    expect(await peer.call('hook_1', {})).toEqual({});
  });

  test('a peer that disconnects before or during a call leaves no pending promise', async () => {
    const ends = new Ends();
    const peer = new CallbackPeer({ input: ends.input, output: ends.output });
    const ready = caught(peer.ready());
    ends.input.end();
    expect(String(await ready)).toContain('initialize never came');

    const second = await joined({ Stop: () => never() });
    const running = caught(second.peer.call('hook_1', {}));
    await vi.waitFor(() => expect(second.sdk.inFlight).toBe(1));
    await second.peer.close();
    expect(await running).toBeInstanceOf(HookCancelledError);
  });

  test.each([
    [
      { hooks: { PreToolUze: [{ hookCallbackIds: ['a'] }], Stop: [{ hookCallbackIds: ['b'] }] } },
      ['unknown-event'],
      ['Stop'],
    ],
    [{ hooks: 7 }, ['wrong-type'], []],
    [
      { hooks: { Stop: [{ hookCallbackIds: 'b' }, { hookCallbackIds: [1, 'c'] }] } },
      ['unknown-key', 'wrong-type', 'wrong-type'],
      ['Stop'],
    ],
    [{ hooks: null }, [], []],
    [{}, [], []],
  ])('invalid parts of %j are problems, and the rest counts', async (body, codes, events) => {
    const ends = new Ends();
    const peer = new CallbackPeer({ input: ends.input, output: ends.output });
    ends.put(request('i', { subtype: 'initialize', ...body }), request('u', { subtype: 'interrupt' }));
    const hooks = await peer.ready();
    expect(peer.problems.map(({ code }) => code)).toEqual(codes);
    expect(await ends.hear(2)).toEqual(
      expect.arrayContaining([failure('u', 'unsupported control request subtype: interrupt')]),
    );
    const created = await createHooks({
      host: { name: 't', can: EVERYTHING },
      settings: false,
      journal: false,
      hooks: hooks,
    });
    open.push(created);
    expect(created.hooks.map(({ on }) => on)).toEqual(events);
  });

  test('a request before initialize is refused, and an early callback id is unknown', async () => {
    const ends = new Ends();
    const peer = new CallbackPeer({ input: ends.input, output: ends.output });
    peer.start();
    ends.put(callback('r', 'hook_1'));
    expect(await ends.hear(1)).toEqual([failure('r', 'unsupported control request subtype: hook_callback')]);
    expect(await caught(peer.call('hook_1', {}))).toBeInstanceOf(UnknownCallbackError);
  });
});

describe('in our own host', () => {
  const fire = async (theirs: HooksByEvent, options: Partial<PeerOptions> = {}, command = 'ls') => {
    const { hooks: sdk } = await joined(theirs, options);
    const hooks = await createHooks({
      host: { name: 't', can: EVERYTHING },
      settings: false,
      journal: false,
      hooks: sdk,
    });
    open.push(hooks);
    return hooks.fire({ name: 'tool.before', payload: { tool: 'shell', input: { command } } });
  };

  test("a peer's deny refuses our tool, with its matcher and its names", async () => {
    const seen: unknown[] = [];
    const theirs: HooksByEvent = {
      PreToolUse: [
        {
          matcher: 'Bash',
          hooks: [(input) => (seen.push([input.tool_name, input.tool_input]), deny('policy'))],
        },
        { matcher: 'Write', hooks: [() => deny('never asked')] },
      ],
    };
    const { verdict, reasons, unmatched } = await fire(theirs);
    expect([verdict, reasons.map(({ text }) => text), unmatched.length, seen]).toEqual([
      'deny',
      ['policy'],
      1,
      [['Bash', { command: 'ls' }]],
    ]);
  });

  test.each([
    ['nothing said: closed', undefined, 'deny'],
    ['continue', 'continue', 'none'],
    ['ask', 'ask', 'deny'], // the protocol has no question, only a block
  ] as const)('a callback that throws, onFailure %s', async (_title, onFailure, verdict) => {
    const outcome = await fire({
      PreToolUse: {
        hooks: [
          () => {
            throw new Error('boom');
          },
        ],
        ...(onFailure && { onFailure }),
      },
    });
    expect([outcome.verdict, outcome.runs[0]!.answer!.failed!.kind]).toEqual([verdict, 'failed']);
  });

  test('a callback that exceeds the timeout of its matcher fails by its policy and is cancelled', async () => {
    const aborted = gate();
    const outcome = await fire({
      PreToolUse: {
        hooks: [
          (_input, _id, { signal }) => (signal.addEventListener('abort', () => aborted.open()), never()),
        ],
        timeout: 0.05,
      },
    });
    expect(outcome.verdict).toBe('deny');
    await aborted.passed;
  });
});
