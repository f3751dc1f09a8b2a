import { expect, test } from 'vitest';
import type { CallRequest } from '../events/exchange.ts';
import { NEVER } from '../events/signal.ts';
import { type RunningCall, runCall } from './call.ts';
import { PausedWait } from './paused-wait.ts';

const after = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

test('the clock stops from the first pause to the end of the last', async () => {
  const ends: string[] = [];
  const wait = new PausedWait({ timeoutMs: 100, signal: NEVER }, (why) => void ends.push(why));
  const [one, two] = [wait.pause(), wait.pause()];
  await after(300);
  one();
  one(); // calling it twice counts once
  await after(300);
  expect(ends).toEqual([]);
  two();
  await expect.poll(() => ends).toEqual(['timed-out']);
});

test('an abort counts during a pause', async () => {
  const abort = new AbortController();
  const ends: string[] = [];
  const wait = new PausedWait({ timeoutMs: 60_000, signal: abort.signal }, (why) => void ends.push(why));
  wait.pause();
  abort.abort();
  expect(ends).toEqual(['aborted']);
});

test('a released wait does not start again', async () => {
  const ends: string[] = [];
  const wait = new PausedWait({ timeoutMs: 100, signal: NEVER }, (why) => void ends.push(why));
  const goOn = wait.pause();
  wait.release();
  goOn();
  await after(300);
  expect(ends).toEqual([]);
});

test('a function may pause its clock before it returned its promise', async () => {
  const request: CallRequest = { kind: 'call', args: [] };
  const run = (ms: number) =>
    runCall(
      {
        kind: 'call',
        async fn(this: RunningCall) {
          const goOn = this.pause();
          await after(500);
          goOn();
          await after(ms);
          return 'answered';
        },
      },
      request,
      { timeoutMs: 250, signal: NEVER },
    );
  expect(await run(0)).toEqual({ kind: 'returned', value: 'answered', args: [] });
  expect(await run(60_000)).toEqual({ kind: 'broken', why: { kind: 'timed-out' } });
});
