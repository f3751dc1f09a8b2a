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
  test('is answered at once, with its arguments as it left them', () => {
    const reply = runCall(
      call((input: { a: number }) => ((input.a = 2), 'done')),
      withArgs({ a: 1 }),
      limit(),
    );
    expect(reply).toEqual({ kind: 'returned', value: 'done', args: [{ a: 2 }] });
  });

  test('leaves a copy behind: what it writes afterwards reaches nobody', () => {
    const input = { list: [1] };
    const reply = runCall(
      call(() => undefined),
      withArgs(input),
      limit(),
    ) as Extract<Reply, { kind: 'returned' }>;
    input.list.push(2);
    expect(reply.args).toEqual([{ list: [1] }]);
  });

  test('that is direct gets the one event itself, and nothing is copied', () => {
    const event = Object.freeze({ name: 'x' });
    const reply = runCall(
      direct((given: unknown) => given),
      withArgs(event),
      limit(),
    );
    expect(reply).toEqual({ kind: 'returned', value: event, args: [] });
    expect((reply as { value: unknown }).value).toBe(event);
  });

  test('that throws is a throw, with the arguments it had reached', () => {
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

  test.each([null, undefined, 'text'])('that throws %j is a throw', (thrown) => {
    const fn = () => {
      throw thrown;
    };
    expect(runCall(direct(fn), withArgs(), limit())).toMatchObject({ kind: 'threw' });
  });

  test('that leaves arguments nobody can read is unreadable, not consent', () => {
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

  test('that returns something with a hostile then is a throw', () => {
    const fn = () => ({
      // oxlint-disable-next-line unicorn/no-thenable -- that is what is tested
      get then(): never {
        throw new Error('trap');
      },
    });
    expect(runCall(direct(fn), withArgs(), limit())).toMatchObject({ kind: 'threw', message: 'trap' });
  });

  test('is not called when the host has given up already', () => {
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
  test('is waited for; its arguments are copied when it has ended', async () => {
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

  test('and fails is a throw', async () => {
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

  test('never is timed out; what it brings later is dropped and its rejection contained', async () => {
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

  test('control: a promise that nobody holds is seen as unhandled', async () => {
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

  test.each([2 ** 31, Infinity, NaN])('has time when the deadline is %s', async (timeoutMs) => {
    expect(
      await runCall(
        direct(() => sleep(20)),
        withArgs(),
        limit(timeoutMs),
      ),
    ).toMatchObject({ kind: 'returned' });
  });

  test('is answered at once when the host gives up', async () => {
    const abort = new AbortController();
    const reply = runCall(
      direct(() => new Promise(() => {})),
      withArgs(),
      limit(20_000, abort.signal),
    );
    abort.abort();
    expect(await reply).toEqual({ kind: 'broken', why: { kind: 'aborted' } });
  });

  test('sees its own end through the signal of the call', async () => {
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

  test('first answer counts, whatever a thenable does', async () => {
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

  test('is not fooled by a promise with a then of its own', async () => {
    // oxlint-disable-next-line unicorn/no-thenable -- that is what is tested
    const sly = () => Object.assign(Promise.resolve('true value'), { then: () => {} });
    expect(await runCall(direct(sly), withArgs(), limit(500))).toMatchObject({
      kind: 'returned',
      value: 'true value',
    });
  });
});
