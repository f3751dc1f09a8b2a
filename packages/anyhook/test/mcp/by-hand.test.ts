/** A server that runs every call and sends invalid messages, over stdio and HTTP. */

import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import { fixture, type Ground, ground, guard, PATIENT, served, textOf, TRANSPORTS } from './ground.ts';
import { call, HELLO, INITIALIZED, type Session, session } from './session.ts';

vi.setConfig({ testTimeout: 180_000 }); // several processes each, on whatever machine

const HOOKS = {
  ...guard(
    'refuse',
    `export default defineHook({ on: 'tool.before', run: ({ payload }) => payload.input.file === 'refused' ? { kind: 'deny', reason: 'never' } : undefined });`,
  ),
  ...guard(
    'redact',
    `export default defineHook({ on: 'tool.after', run: ({ payload }) => JSON.stringify(payload.content).includes('the ') ? { kind: 'set', at: ['content'], to: [{ type: 'text', text: 'redacted' }] } : undefined });`,
  ),
};
const touch = (id: unknown, file: string, more: object = {}) => call(id, 'touch', { file, ...more });
/** As the client would have to write it, deeper than any program writes again what it has read. */
const DEPTH = 200_000;
const deep = (message: object): string =>
  JSON.stringify(message).replace('"DEEP"', '['.repeat(DEPTH) + ']'.repeat(DEPTH));

async function opened(kind: (typeof TRANSPORTS)[number]): Promise<{ at: Ground; proxy: Session }> {
  const at = ground(HOOKS);
  const file = fixture('by-hand.mjs');
  const words =
    kind === 'stdio' ? ['--', process.execPath, file] : ['--http', await served(at, file, 'http')];
  const proxy = session(at, words);
  proxy.send(HELLO);
  await proxy.answer(0);
  proxy.send(INITIALIZED);
  return { at, proxy };
}
/** A call that runs, and one that is refused: the session is as good as new. */
async function goesOn({ at, proxy }: { readonly at: Ground; readonly proxy: Session }): Promise<void> {
  proxy.send(touch('refused', 'refused'), touch('ran', 'ran'));
  expect(textOf((await proxy.answer('ran'))['result'])).toBe('touched');
  expect(textOf((await proxy.answer('refused'))['result'])).toContain('never');
  expect([at.has('refused'), at.has('ran')]).toEqual([false, true]);
}

describe.each(TRANSPORTS)('over %s', (kind) => {
  test('a call without an id cannot be judged and is not forwarded', async () => {
    const { at, proxy } = await opened(kind);
    proxy.send({
      jsonrpc: '2.0',
      method: 'tools/call',
      params: { name: 'touch', arguments: { file: 'note' } },
    });
    expect((await proxy.answer(null))['error']).toMatchObject({
      message: expect.stringContaining('a call without an id') as string,
    });
    await goesOn({ at, proxy });
    expect(at.has('note')).toBe(false);
  });

  test('a message that is nested too deeply is refused, and the session continues', async () => {
    const { at, proxy } = await opened(kind);
    proxy.send(
      deep({ jsonrpc: '2.0', id: 1, method: 'nobody/knows', params: { a: 'DEEP' } }),
      deep(touch(2, 'refused', { a: 'DEEP' })),
      deep(touch(3, 'too-deep', { a: 'DEEP' })),
      deep({ jsonrpc: '2.0', method: 'notifications/x', params: { a: 'DEEP' } }),
      deep({ jsonrpc: '2.0', id: 'nobody-asked', result: { a: 'DEEP' } }),
    );
    expect((await proxy.answer(1))['error']).toMatchObject({
      message: expect.stringMatching(/(?:cannot be sent on|could not answer): .*call stack/) as string,
    });
    for (const id of [2, 3]) expect((await proxy.answer(id))['result']).toMatchObject({ isError: true });
    await goesOn({ at, proxy });
    expect(at.has('too-deep')).toBe(false);
    // What wants no answer is said where the person looks, or to nobody in particular.
    const said = `${JSON.stringify(proxy.came)}${proxy.stderr()}`;
    expect(said.split('call stack').length - 1).toBeGreaterThanOrEqual(5);
  });

  test('an unknown method is forwarded, and a duplicate answer arrives once and judged', async () => {
    const { at, proxy } = await opened(kind);
    proxy.send({ jsonrpc: '2.0', id: 1, method: 'nobody/knows' }, call(2, 'twice'));
    expect((await proxy.answer(1))['error']).toEqual({ code: -32_601, message: 'Method not found' });
    expect(textOf((await proxy.answer(2))['result'])).toBe('redacted');
    await goesOn({ at, proxy });
    expect(proxy.came.filter(({ id }) => id === 2)).toHaveLength(1);
    expect(JSON.stringify(proxy.came)).not.toContain('the second');
  });

  test('a result of tens of megabytes arrives complete', async () => {
    const { at, proxy } = await opened(kind);
    proxy.send(call(1, 'large', { megabytes: 40 }));
    expect(textOf((await proxy.answer(1))['result'])).toHaveLength(40 * 1024 * 1024);
    await goesOn({ at, proxy });
  });

  test('a server that is faster than its client is slowed down, as without the proxy', async () => {
    const { at, proxy } = await opened(kind);
    proxy.child.stdout.pause();
    proxy.send({ jsonrpc: '2.0', id: 1, method: 'flood' });
    const taken = () => (at.has('taken') ? Number(at.read('taken')) : 0);
    await vi.waitFor(() => expect(taken()).toBeGreaterThan(0), PATIENT);
    let before = -1;
    while (before !== taken()) {
      before = taken();
      await sleep(1_500);
    }
    expect(taken()).toBeLessThan(150); // of 300 megabytes
    proxy.child.stdout.resume();
    await proxy.answer(1);
    expect(proxy.came.filter(({ method }) => method === 'notifications/message')).toHaveLength(300);
  });
});

describe('over http', () => {
  test.each(['stream', 'json'])('an oversized result is reported in the answer (%s)', async (as) => {
    const { at, proxy } = await opened('http');
    proxy.send(call(1, 'large', { megabytes: 65, as }));
    expect((await proxy.answer(1))['error']).toMatchObject({
      message: expect.stringContaining('more than 67108864 bytes') as string,
    });
    await goesOn({ at, proxy });
  });

  test.each(['stream', 'json'])('a truncated answer is reported in the answer (%s)', async (as) => {
    const { at, proxy } = await opened('http');
    proxy.send(call(1, 'cut', { as }));
    expect((await proxy.answer(1))['error']).toMatchObject({
      message: expect.stringContaining('could not answer') as string,
    });
    await goesOn({ at, proxy });
  });

  test('a server that dies during a call is reported in this and later answers', async () => {
    const { at, proxy } = await opened('http');
    proxy.send(call(1, 'die'));
    expect((await proxy.answer(1))['error']).toMatchObject({
      message: expect.stringContaining('could not answer') as string,
    });
    proxy.send(touch(2, 'refused'), touch(3, 'ran'));
    expect(textOf((await proxy.answer(2))['result'])).toContain('never');
    expect((await proxy.answer(3))['error']).toMatchObject({
      message: expect.stringMatching(/could not answer: .*ECONNREFUSED/) as string,
    });
    expect([at.has('refused'), at.has('ran')]).toEqual([false, false]);
  });
});

test('a client that is faster than its server is slowed down, as without the proxy', async () => {
  const at = ground(HOOKS);
  const proxy = session(at, ['--', process.execPath, fixture('by-hand.mjs'), 'deaf']);
  const note = `${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/x', params: { data: 'x'.repeat(1024 * 1024) } })}\n`;
  let taken = 0;
  const push = (): void => {
    while (taken < 300 && (taken++, proxy.child.stdin.write(note)));
    if (taken < 300) proxy.child.stdin.once('drain', push);
  };
  push();
  await vi.waitFor(() => expect(at.has('up')).toBe(true), PATIENT);
  let before = -1;
  while (before !== taken) {
    before = taken;
    await sleep(3_000);
  }
  expect(taken).toBeLessThan(150);
  const [, peak] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${proxy.child.pid}/status`, 'utf8')) ?? [];
  expect(Number(peak) / 1024).toBeLessThan(400);
});
