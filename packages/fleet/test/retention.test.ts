/** Journals that were not shipped outlive their retention time up to a limit, and a warning reports the limit. */

import { readdirSync, readFileSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openJournal, type Trouble } from '../../anyhook/src/journal/index.ts';
import { removeOld } from '../../anyhook/src/journal/retention.ts';
import { openOtlp, otlpKey } from '../src/ship/otlp.ts';
import { shipJournals } from '../src/ship/ship.ts';
import { type Collector, startCollector } from './fixtures/collector.ts';
import { draft, type Ground, makeGround } from './fixtures/ground.ts';

const DAY_MS = 86_400_000;
let ground: Ground;
let collector: Collector;
beforeEach(async () => {
  ground = makeGround();
  collector = await startCollector();
});
afterEach(() => {
  collector.close();
  ground.close();
});

function write(session: string, days: number, count = 3): void {
  const journal = ground.journal(session);
  for (let at = 0; at < count; at++) journal.write(draft(session, at));
  journal.close();
  const at = new Date(Date.now() - days * DAY_MS);
  utimesSync(join(ground.folder, `${session}.jsonl`), at, at);
}
async function ship(machine = 'm1'): Promise<void> {
  const { folder, heads } = ground;
  const signal = AbortSignal.timeout(50_000);
  const said = { source: { machine, user: 'ann' }, signal, say: () => undefined };
  const options = { endpoint: collector.endpoint, headers: {}, isGzipped: false, timeoutMs: 5000, ...said };
  const places = { folder, heads };
  await shipJournals({
    places,
    key: otlpKey(options),
    open: openOtlp(options),
    signal,
    say: said.say,
    isOnce: true,
  });
}
const left = () =>
  readdirSync(ground.folder)
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => name.replace('.jsonl', ''));
const now = { session: 'now', atMs: Date.now() };

test('shipped journals expire on time, and unshipped ones stay', async () => {
  write('shipped', 10);
  await ship();
  write('waiting', 9);
  expect(removeOld(ground, { keepDays: 7 }, now)).toEqual([{ session: 'shipped', unshippedBytes: 0 }]);
  expect(left()).toEqual(['waiting']);
  await ship();
  expect(removeOld(ground, { keepDays: 7 }, now)).toEqual([{ session: 'waiting', unshippedBytes: 0 }]);
});

test('an incomplete line does not keep a journal from expiring', async () => {
  write('torn', 10);
  await ship();
  const { appendFileSync } = await import('node:fs');
  const file = join(ground.folder, 'torn.jsonl');
  appendFileSync(file, '{"v":1,"half');
  const at = new Date(Date.now() - 10 * DAY_MS);
  utimesSync(file, at, at);
  expect(removeOld(ground, { keepDays: 7 }, now)).toEqual([{ session: 'torn', unshippedBytes: 0 }]);
});

test('a journal stays until all destinations have it', async () => {
  write('a', 10);
  await ship('m1');
  collector.misbehave = (_, response) => (response.destroy(), true);
  await Promise.race([ship('m2').catch(() => undefined), new Promise((resolve) => setTimeout(resolve, 500))]);
  expect(removeOld(ground, { keepDays: 7 }, now)).toEqual([]);
});

test('journals expire on time on a machine that ships nothing', () => {
  write('a', 10);
  expect(removeOld(ground, { keepDays: 7 }, now)).toEqual([{ session: 'a', unshippedBytes: 0 }]);
});

test.each([
  ['days', { days: 30, bytes: 1e9 }, ['older']],
  ['bytes: the oldest go first', { days: 99, bytes: 3000 }, ['older', 'old']],
] as const)('there is a bound: %s', async (_, bound, gone) => {
  write('sent', 50);
  await ship();
  for (const [name, days] of [
    ['older', 40],
    ['old', 20],
    ['recent', 10],
  ] as const)
    write(name, days);
  const removed = removeOld(ground, { keepDays: 7 }, now, bound);
  expect(removed).toEqual([
    { session: 'sent', unshippedBytes: 0 },
    ...gone.map((session) => ({ session, unshippedBytes: expect.any(Number) })),
  ]);
  expect(removed.slice(1).every(({ unshippedBytes }) => unshippedBytes > 1000)).toBe(true);
  const notes = readFileSync(join(ground.heads, 'removed.jsonl'), 'utf8').trimEnd().split('\n');
  expect(notes.map((note) => (JSON.parse(note) as { unshippedBytes?: number }).unshippedBytes)).toEqual(
    removed.map(({ unshippedBytes }) => (unshippedBytes > 0 ? unshippedBytes : undefined)),
  );
});

test('the user is warned when unshipped records are removed', async () => {
  write('sent', 50);
  await ship();
  write('waited', 40);
  const troubles: Trouble[] = [];
  const { folder, heads } = ground;
  const journal = openJournal({
    folder,
    heads,
    session: 'now',
    keep: { keepDays: 7 },
    onTrouble: (one) => troubles.push(one),
  });
  journal.write(draft('now', 1));
  journal.close();
  expect(troubles.map(({ kind, message }) => [kind, message])).toEqual([
    ['not-shipped', expect.stringMatching(/: removed 1 old journals before they were shipped \(waited\)/)],
  ]);
});
