/** Compaction with hooks as in a host: hooks run before and after it, and a hook's compaction is used as given. */

import { expect, test } from 'vitest';
import { runnerOf } from './fixtures/scratch.ts';
import type { HookRunner } from './runner.ts';
import type { CompactionResult, HookAPI, SessionBeforeCompactEvent } from './types/index.ts';

const event = (signal: AbortSignal): SessionBeforeCompactEvent =>
  ({
    type: 'session_before_compact',
    preparation: {
      firstKeptEntryId: 'e3',
      messagesToSummarize: [{ role: 'user', content: 'one' }],
      turnPrefixMessages: [],
      isSplitTurn: false,
      tokensBefore: 900,
      previousSummary: 'before that',
      fileOps: { read: ['a.ts'] },
      settings: { reserveTokens: 10 },
    },
    branchEntries: [{ type: 'message', id: 'e1', parentId: null, timestamp: '' }],
    customInstructions: 'briefly',
    signal,
  }) as unknown as SessionBeforeCompactEvent;

/** The compaction of a host, in the order that hooks rely on. */
async function compact(runner: HookRunner, saved: object[]): Promise<string> {
  const said = await runner.emit(event(new AbortController().signal));
  if (said?.cancel) return 'cancelled';
  const own: CompactionResult = { summary: 'the model’s', firstKeptEntryId: 'e3', tokensBefore: 900 };
  const compaction = said?.compaction ?? own;
  const entry = { type: 'compaction', id: 'c1', ...compaction };
  saved.push(entry);
  await runner.emit({
    type: 'session_compact',
    compactionEntry: entry as never,
    fromExtension: said?.compaction !== undefined,
  });
  return compaction.summary;
}
const both = (order: string[], name: string) => (pi: HookAPI) => {
  pi.on('session_before_compact', () => void order.push(`before ${name}`));
  pi.on('session_compact', () => void order.push(`after ${name}`));
};

test('hooks receive the whole preparation before a compaction, and the saved entry after it', async () => {
  const saved: object[] = [];
  const heard: unknown[] = [];
  const { runner } = runnerOf([
    (pi) => {
      pi.on(
        'session_before_compact',
        ({ signal, ...rest }) => void heard.push(rest, signal instanceof AbortSignal),
      );
      pi.on('session_compact', (after) => void heard.push(after, saved.length));
    },
  ]);
  expect(await compact(runner, saved)).toBe('the model’s');
  const { signal: _, ...shown } = event(new AbortController().signal);
  expect(heard).toEqual([
    shown,
    true,
    { type: 'session_compact', compactionEntry: saved[0], fromExtension: false },
    1, // saved before hooks are notified
  ]);
});

test('a cancel changes nothing, and no hook is notified of a compaction', async () => {
  const [saved, order]: [object[], string[]] = [[], []];
  const { runner } = runnerOf([
    (pi) => pi.on('session_before_compact', () => ({ cancel: true })),
    both(order, 'second'),
  ]);
  expect([await compact(runner, saved), saved, order]).toEqual(['cancelled', [], []]);
});

test('a compaction from a hook is used as given, including odd numbers, and marked', async () => {
  const saved: object[] = [];
  const marks: unknown[] = [];
  const compaction = {
    summary: 'mine',
    firstKeptEntryId: 'nowhere',
    tokensBefore: 1,
    details: { by: 'hook' },
  };
  const { runner } = runnerOf([
    (pi) => {
      pi.on('session_before_compact', () => ({ compaction }));
      pi.on('session_compact', ({ fromExtension }) => void marks.push(fromExtension));
    },
  ]);
  expect([await compact(runner, saved), saved, marks]).toEqual([
    'mine',
    [{ type: 'compaction', id: 'c1', ...compaction }],
    [true],
  ]);
});

test('a hook that throws leaves the compaction to the host and is reported', async () => {
  const { runner, errors } = runnerOf([
    (pi) => pi.on('session_before_compact', () => Promise.reject(new Error('broken'))),
  ]);
  expect(await compact(runner, [])).toBe('the model’s');
  expect(errors).toEqual([{ hookPath: 'h1.ts', event: 'session_before_compact', error: 'broken' }]);
});

test('two hooks run in order before a compaction, and in order after it', async () => {
  const order: string[] = [];
  const { runner } = runnerOf([both(order, 'one'), both(order, 'two')]);
  await compact(runner, []);
  expect(order).toEqual(['before one', 'before two', 'after one', 'after two']);
});
