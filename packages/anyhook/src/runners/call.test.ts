import { describe, expect, test } from 'vitest';
import type { Limit, Reply } from '../events/exchange.ts';
import type { WayOf } from '../events/hook.ts';
import { type RunningCall, runCall } from './call.ts';

const limit = (timeoutMs = 20_000, signal = new AbortController().signal): Limit => ({ timeoutMs, signal });
const call = (fn: (...args: never[]) => unknown): WayOf<'call'> => ({ kind: 'call', fn });
const direct = (fn: (...args: never[]) => unknown): WayOf<'call'> => ({ kind: 'call', fn, direct: true });
const withArgs = (...args: unknown[]) => ({ kind: 'call', args }) as const;
const sleep = (ms: number) => new Promise((wake) => setTimeout(wake, ms));

describe('a function that answers at once', () => {
  test('a synchronous function replies synchronously, with its arguments as it left them', () => {
    const reply = runCall(
      call((input: { a: number }) => ((input.a = 2), 'done')),
      withArgs({ a: 1 }),
      limit(),
    );
    expect(reply).toEqual({ kind: 'returned', value: 'done', args: [{ a: 2 }] });
  });

  test('returns a copy, so that later changes have no effect', () => {
    const input = { list: [1] };
    const reply = runCall(
      call(() => undefined),
      withArgs(input),
      limit(),
    ) as Extract<Reply, { kind: 'returned' }>;
    input.list.push(2);
    expect(reply.args).toEqual([{ list: [1] }]);
  });

  test('a direct function gets the event itself, and nothing is copied', () => {
    const event = Object.freeze({ name: 'x' });
    const reply = runCall(
      direct((given: unknown) => given),
      withArgs(event),
      limit(),
    );
    expect(reply).toEqual({ kind: 'returned', value: event, args: [] });
    expect((reply as { value: unknown }).value).toBe(event);
  });

  test('a function that throws replies with the arguments as they were then', () => {
    const fn = (input: { a: number }) => {
      input.a = 2;
      throw new TypeError('no');
    };
    expect(runCall(call(fn), withArgs({ a: 1 }), limit())).toMatchObject({
      kind: 'threw',
      message: 'no',
      args: [{ a: 2 }],
    });
  });

  test.each([null, undefined, 'text'])('a function that throws %j replies with a throw', (thrown) => {
    const fn = () => {
      throw thrown;
    };
    expect(runCall(direct(fn), withArgs(), limit())).toMatchObject({ kind: 'threw' });
  });

  test('a function that leaves unreadable arguments is unreadable, not consent', () => {
    const fn = (output: object) =>
      Object.defineProperty(output, 'a', {
        enumerable: true,
        get: () => {
          throw new Error('boo');
        },
      }) && undefined;
    expect(runCall(call(fn), withArgs({}), limit())).toEqual({
      kind: 'broken',
      why: { kind: 'unreadable', detail: 'the arguments cannot be read after the call: boo' },
    });
  });

  test('a function that returns a value with a hostile then replies with a throw', () => {
    const fn = () => ({
      // oxlint-disable-next-line unicorn/no-thenable -- that is what is tested
      get then(): never {
        throw new Error('trap');
      },
    });
    expect(runCall(direct(fn), withArgs(), limit())).toMatchObject({ kind: 'threw', message: 'trap' });
  });

  test('a function is not called if the host has already aborted', () => {
    const abort = new AbortController();
    abort.abort();
    let called = false;
    expect(
      runCall(
        call(() => (called = true)),
        withArgs(),
        limit(1, abort.signal),
      ),
    ).toEqual({
      kind: 'broken',
      why: { kind: 'aborted' },
    });
    expect(called).toBe(false);
  });
});

describe('a function that answers later', () => {
  test('an asynchronous function is awaited, and its arguments are copied when it has ended', async () => {
    const fn = async (output: { a: number }) => {
      await sleep(5);
      output.a = 2;
      return 'done';
    };
    expect(await runCall(call(fn), withArgs({ a: 1 }), limit())).toEqual({
      kind: 'returned',
      value: 'done',
      args: [{ a: 2 }],
    });
  });

  test('a rejected promise replies with a throw', async () => {
    expect(
      await runCall(
        direct(() => Promise.reject(new Error('no'))),
        withArgs(),
        limit(),
      ),
    ).toMatchObject({
      kind: 'threw',
      message: 'no',
    });
  });

  test('a late function times out; its later result is dropped and its rejection handled', async () => {
    const loose: unknown[] = [];
    const note = (error: unknown) => loose.push(error);
    process.on('unhandledRejection', note);
    const late = async (output: { a: number }) => {
      await sleep(60);
      output.a = 2;
      throw new Error('too late');
    };
    expect(await runCall(call(late), withArgs({ a: 1 }), limit(10))).toEqual({
      kind: 'broken',
      why: { kind: 'timed-out' },
    });
    await sleep(120);
    process.off('unhandledRejection', note);
    expect(loose).toEqual([]);
  });

  test('control: an unhandled rejection is detected', async () => {
    const loose: unknown[] = [];
    const others = process.listeners('unhandledRejection');
    process.removeAllListeners('unhandledRejection');
    process.on('unhandledRejection', (error) => loose.push(error));
    void Promise.reject(new Error('loose'));
    await sleep(20);
    process.removeAllListeners('unhandledRejection');
    for (const listener of others) process.on('unhandledRejection', listener);
    expect(loose).toHaveLength(1);
  });

  test.each([2 ** 31, Infinity, NaN])('a function has time if the deadline is %s', async (timeoutMs) => {
    expect(
      await runCall(
        direct(() => sleep(20)),
        withArgs(),
        limit(timeoutMs),
      ),
    ).toMatchObject({ kind: 'returned' });
  });

  test('an abort by the host is answered immediately', async () => {
    const abort = new AbortController();
    const reply = runCall(
      direct(() => new Promise(() => {})),
      withArgs(),
      limit(20_000, abort.signal),
    );
    abort.abort();
    expect(await reply).toEqual({ kind: 'broken', why: { kind: 'aborted' } });
  });

  test('the signal of the call aborts at the deadline', async () => {
    let reason: unknown;
    const fn = (_: unknown, { signal }: RunningCall) =>
      new Promise(() => signal.addEventListener('abort', () => (reason = signal.reason)));
    await runCall(direct(fn), withArgs(), limit(10));
    expect(reason).toMatchObject({ name: 'TimeoutError' });
    const later = function (this: RunningCall) {
      return sleep(40).then(() => (reason = this.signal.aborted));
    };
    await runCall(call(later), withArgs(), limit(10));
    await sleep(80);
    expect(reason).toBe(true);
  });

  test('the first answer of a thenable counts', async () => {
    const twice = () => ({
      // oxlint-disable-next-line unicorn/no-thenable -- that is what is tested
      then(yes: (value: string) => void, no: (error: Error) => void) {
        yes('first');
        yes('second');
        no(new Error('third'));
      },
    });
    expect(await runCall(direct(twice), withArgs(), limit())).toMatchObject({
      kind: 'returned',
      value: 'first',
    });
  });

  test('a promise with an own then method is awaited correctly', async () => {
    // oxlint-disable-next-line unicorn/no-thenable -- that is what is tested
    const sly = () => Object.assign(Promise.resolve('true value'), { then: () => {} });
    expect(await runCall(direct(sly), withArgs(), limit(500))).toMatchObject({
      kind: 'returned',
      value: 'true value',
    });
  });
});
