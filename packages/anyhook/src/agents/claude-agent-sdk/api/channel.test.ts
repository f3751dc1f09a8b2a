import { expect, test, vi } from 'vitest';
import { callback, never, opened, success } from './fixtures/streams.ts';

const ids = Array.from({ length: 10 }, (_, i) => `r${i}`);

test('the answers of one tick are sent in one write', async () => {
  const { ends } = opened({ PreToolUse: { hooks: [async () => ({}), () => ({})] } });
  const write = vi.spyOn(ends.output, 'write');
  const asked = ids.map((id, i) => callback(id, `hook_${(i % 2) + 1}`));
  ends.input.write(asked.map((frame) => `${JSON.stringify(frame)}\n`).join(''));
  const heard = await ends.hear(10);
  expect(write).toHaveBeenCalledTimes(1);
  expect(heard.toSorted(byId)).toEqual(ids.map((id) => success(id, {})));
});

test('answers of different ticks are sent in separate writes', async () => {
  const { ends } = opened({ PreToolUse: () => ({}) });
  const write = vi.spyOn(ends.output, 'write');
  ends.put(callback('a', 'hook_1'));
  await ends.hear(1);
  ends.put(callback('b', 'hook_1'));
  await ends.hear(2);
  expect(write).toHaveBeenCalledTimes(2);
});

test('answers from the tick in which the output ends are written first', async () => {
  const { ends, handler, logged } = opened(null);
  handler.send({ type: 'user', message: 'the last word' });
  handler.endOutput();
  expect(await ends.hear(1)).toEqual([{ type: 'user', message: 'the last word' }]);
  expect([ends.output.writableEnded, logged]).toEqual([true, []]);
});

test('answers from the tick in which the channel closes are written, and later ones are dropped and logged', async () => {
  const { ends, handler, logged } = opened(null);
  handler.send({ type: 'user', message: 'before' });
  await handler.close();
  handler.send({ type: 'user', message: 'after' });
  expect(await ends.hear(1)).toEqual([{ type: 'user', message: 'before' }]);
  expect(logged.map(({ message }) => message)).toEqual([
    'a frame could not be sent: the peer has disconnected',
  ]);
});

test('the signal of a context is created once, is shared with copies of the context, and aborts at the deadline', async () => {
  const signals: AbortSignal[] = [];
  const { ends } = opened({
    PreToolUse: {
      timeout: 0.02,
      hooks: [
        (_input, _id, context) => {
          const copy = { ...context };
          signals.push(context.signal, context.signal, copy.signal);
          return never();
        },
      ],
    },
  });
  ends.put(callback('a', 'hook_1'));
  await ends.hear(1);
  expect(new Set(signals).size).toBe(1);
  expect([signals[0]!.aborted, (signals[0]!.reason as Error).name]).toEqual([true, 'TimeoutError']);
});

const byId = (a: object, b: object) => idOf(a).localeCompare(idOf(b));
const idOf = (frame: object) => (frame as { response: { request_id: string } }).response.request_id;
