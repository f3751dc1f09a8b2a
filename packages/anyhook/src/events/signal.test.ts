import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { NEVER } from './signal.ts';

test.each([
  ['nobody is warned of twenty that wait for what never aborts', NEVER, 0],
  ['control: of one that can abort Node warns', new AbortController().signal, 1],
])('%s', async (_title, signal, warned) => {
  const warnings: string[] = [];
  const heard = ({ name }: Error) => void warnings.push(name);
  process.on('warning', heard);
  onTestFinished(() => void process.off('warning', heard));
  for (let i = 0; i < 20; i++) signal.addEventListener('abort', () => i);
  await pause(20);
  expect(warnings).toHaveLength(warned);
});

test('does not hide the abort of another signal in AbortSignal.any', () => {
  const stop = new AbortController();
  const both = AbortSignal.any([NEVER, stop.signal]);
  stop.abort();
  expect([both.aborted, NEVER.aborted]).toEqual([true, false]);
});
