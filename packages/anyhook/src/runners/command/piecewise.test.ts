import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { NEVER } from '../../events/signal.ts';
import { parseFrame } from './frames.mjs';
import { openCommandRunner } from './index.ts';
import { isLarge, type PieceHead, Piecewise } from './piecewise.ts';

/** What was written, and a function that reports it as done. */
function pipe() {
  const sent: { head: PieceHead; body: Buffer }[] = [];
  let written = () => {};
  const payloads = new Piecewise((parts, onWritten) => {
    sent.push(parseFrame(Buffer.concat(parts)));
    written = onWritten;
  });
  return { payloads, sent, turn: () => written() };
}
const turnsOf = (sent: readonly { head: PieceHead }[]) => sent.map(({ head }) => [head.id, head.piece]);

test('sends payloads in turns, one piece at a time, and every byte in order', () => {
  const { payloads, sent, turn } = pipe();
  const bodies = [Buffer.alloc(300_000, 'ab'), Buffer.alloc(200_000, 'cd')];
  for (const [at, body] of bodies.entries()) payloads.send(at, body);
  expect(sent).toHaveLength(1);
  for (let i = 0; i < 10; i++) turn();
  expect(turnsOf(sent)).toEqual([
    [0, 'more'],
    [0, 'more'],
    [1, 'more'],
    [0, 'last'],
    [1, 'last'],
  ]);
  for (const [at, body] of bodies.entries())
    expect(Buffer.concat(sent.flatMap((one) => (one.head.id === at ? one.body : []))).equals(body)).toBe(
      true,
    );
});

test('drops a payload that is no longer read and continues with the next', () => {
  const { payloads, sent, turn } = pipe();
  payloads.send(1, Buffer.alloc(500_000));
  payloads.send(2, Buffer.alloc(140_000));
  payloads.drop(1);
  for (let i = 0; i < 5; i++) turn();
  payloads.send(3, Buffer.alloc(140_000));
  expect(turnsOf(sent)).toEqual([
    [1, 'more'],
    [2, 'more'],
    [2, 'last'],
    [3, 'more'],
  ]);
});

test('a payload that fits with its job is not large', () => {
  expect([isLarge(Buffer.alloc(131_072)), isLarge(Buffer.alloc(131_073))]).toEqual([false, true]);
});

test('concurrent large payloads arrive completely, also next to a hook that does not read', async () => {
  const runner = openCommandRunner();
  const run = (line: string, stdin: string) =>
    runner.run(
      { kind: 'command', run: { line }, env: 'inherit' },
      { kind: 'command', cwd: '/', stdin },
      { timeoutMs: 60_000, signal: NEVER },
    );
  const texts = ['a', 'b', 'c'].map((letter, at) => letter.repeat(3_000_000 + at));
  const [deaf, ...replies] = await Promise.all([
    run('exec 0<&-; exit 7', 'x'.repeat(5_000_000)),
    ...texts.map((text) => run('sha256sum', text)),
  ]);
  const sums = texts.map((text) => createHash('sha256').update(text).digest('hex'));
  expect(replies.map((reply) => reply.kind === 'exited' && reply.stdout.split(' ')[0])).toEqual(sums);
  expect(deaf.kind === 'exited' && deaf.code).toBe(7);
  await runner.close();
});
