/**
 * Two ends of the RPC in one process, joined by a queue: what can be sent, and what a hostile end cannot do.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { type Method, methodIn, RpcEnd, type ServedCall } from './rpc.mjs';
import { LONGEST_LINE } from './wire.mjs';

function joined(methods: Readonly<Record<string, Method>>) {
  const lines: string[] = [];
  const near: RpcEnd = new RpcEnd(
    (line) => queueMicrotask(() => (lines.push(line), far.take(line))),
    () => undefined,
  );
  const far: RpcEnd = new RpcEnd(
    (line) => queueMicrotask(() => near.take(line)),
    (name) => methodIn(methods, name),
  );
  return { near, far, lines };
}

describe('what crosses', () => {
  test('sends data, undefined, bytes and functions unchanged, also in the result', async () => {
    const { near } = joined({
      echo: (value: unknown) => value,
      twice: async (fn: (n: number) => Promise<number>) => ({ made: async () => (await fn(2)) * 2 }),
    });
    const value = { a: [1, undefined, null], bytes: new Uint8Array([0, 255]), at: 'é' };
    expect(await near.call('echo', [value])).toEqual(value);
    expect(await near.call('echo', [undefined])).toBe(undefined);
    const { made } = (await near.call('twice', [(n: number) => n + 1])) as { made(): Promise<number> };
    expect(await made()).toBe(6);
  });

  test('sends a response with its stream in parts, however large', async () => {
    const body = 'x'.repeat(3 * 2 ** 20);
    const { near } = joined({ load: () => new Response(body, { status: 201, headers: { 'x-a': '1' } }) });
    const response = (await near.call('load', [])) as Response;
    expect([response.status, response.headers.get('x-a')]).toEqual([201, '1']);
    expect(await response.text()).toBe(body);
  });

  test('forwards the abort of a signal anywhere in the arguments', async () => {
    const heard: string[] = [];
    const { near } = joined({
      wait: (_: unknown, { signal }: { signal: AbortSignal }) =>
        new Promise((resolve) => signal.addEventListener('abort', () => (heard.push('heard'), resolve(1)))),
    });
    const abort = new AbortController();
    const answer = near.call('wait', [1, { signal: abort.signal }]);
    await sleep(5);
    abort.abort();
    expect([await answer, heard]).toEqual([1, ['heard']]);
  });

  test('sends errors as messages, and names values that cannot be sent', async () => {
    const { near } = joined({
      fail: () => {
        throw new Error('no');
      },
      map: () => ({ deep: new Map() }),
    });
    await expect(near.call('fail', [])).rejects.toThrow('no');
    await expect(near.call('map', [])).rejects.toThrow("the result cannot be sent: 'deep' is a Map");
    await expect(near.call('map', [1n])).rejects.toThrow("'0' is bigint");
    const cycle: { self?: unknown } = {};
    cycle.self = cycle;
    await expect(near.call('map', [cycle])).rejects.toThrow("'self' is a circular structure");
    await expect(near.call('map', ['x'.repeat(LONGEST_LINE)])).rejects.toThrow('more than 16 MB');
  });
});

describe('the end', () => {
  test('the end rejects all pending and later calls and aborts the calls being served', async () => {
    let signal: AbortSignal | undefined;
    const { near, far } = joined({
      wait(this: ServedCall) {
        ({ signal } = this);
        return new Promise(() => {});
      },
    });
    const answer = near.call('wait', []);
    await sleep(5);
    near.end(new Error('gone'));
    far.end(new Error('gone'));
    await expect(answer).rejects.toThrow('gone');
    await expect(near.call('wait', [])).rejects.toThrow('gone');
    expect(signal?.aborted).toBe(true);
  });
});

describe('a hostile end', () => {
  const end = () =>
    new RpcEnd(
      () => {},
      (name) => methodIn({ ok: () => 1 }, name),
    );

  test.each([
    ['no JSON', 'no json'],
    ['nothing', 'null'],
    ['another kind', '{"kind":"rumour"}'],
    ['an answer without a reply', '{"kind":"answer","id":1,"reply":{}}'],
    ['a call without a target', '{"kind":"call","id":1,"to":null,"args":[]}'],
    ['a call without arguments', '{"kind":"call","id":1,"to":"ok"}'],
    ['specials that are no list', '{"kind":"call","to":"ok","args":[],"specials":1}'],
    ['a special in no place', '{"kind":"call","to":"ok","args":[],"specials":[{"is":"undefined"}]}'],
    [
      'a special of a prototype',
      '{"kind":"call","to":"ok","args":[{}],"specials":[{"at":[0,"__proto__","x"],"is":"undefined"}]}',
    ],
    ['a special of no kind', '{"kind":"call","to":"ok","args":[1],"specials":[{"at":[0],"is":"code"}]}'],
    [
      'a handle is not a number',
      '{"kind":"call","to":"ok","args":[1],"specials":[{"at":[0],"is":"function","handle":"x"}]}',
    ],
    ['a release of nothing', '{"kind":"release"}'],
  ])('that writes %s is rejected', (_, line) => {
    expect(() => end().take(line)).toThrow();
  });

  test('that calls a property of Object.prototype gets nothing', async () => {
    const { near } = joined({ ok: () => 1 });
    for (const name of ['constructor', 'toString', '__proto__', 'hasOwnProperty'])
      await expect(near.call(name, [])).rejects.toThrow(`unknown method '${name}'`);
    await expect(near.call(7, [])).rejects.toThrow('the function was released');
    expect(await near.call('ok', [])).toBe(1); // control
  });

  test('that sends a field called __proto__ changes no prototype', async () => {
    const { near } = joined({
      keys: (value: object) => [Object.keys(value), Object.getPrototypeOf(value) === Object.prototype],
    });
    const value = JSON.parse('{"__proto__": {"polluted": 1}}') as object;
    expect(await near.call('keys', [value])).toEqual([['__proto__'], true]);
    expect(({} as { polluted?: number }).polluted).toBe(undefined);
  });

  test('that answers an unknown call is ignored', () => {
    const line = '{"kind":"answer","id":999,"reply":{"kind":"returned","value":1,"args":[]}}';
    expect(() => end().take(line)).not.toThrow();
  });
});
