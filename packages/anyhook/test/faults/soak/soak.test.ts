/** G18: memory and files of a long-running host stay bounded. */

import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { endOf, FaultGround } from '../ground.ts';
import { control, grouped, percentile, result } from '../results.ts';

const MINUTES = Number(process.env['ANYHOOK_SOAK_MINUTES'] ?? 3);
const SOAK = join(import.meta.dirname, '../fixtures/soak.mjs');
/** Limit for a whole run. The goal is 1 MB in ten minutes, which three minutes cannot show. */
const MOST_GROWTH_MB = Math.max(12, MINUTES / 10 + 10);
const place = new FaultGround([
  { match: 'shell(no)', run: 'echo no >&2; exit 2' },
  { match: 'shell(breaks)', run: 'kill -KILL $$' },
  { match: 'shell(hangs)', run: 'exec sleep 300', timeoutMs: 300 },
  { match: 'shell(leaves)', run: 'sleep 300 & exit 0' },
  { match: 'shell(fine)', run: 'cat > /dev/null' },
]);
afterAll(() => place.close());

/** The same number as in the program. */
const SESSION_CALLS = 500;

interface Sample {
  readonly rss: number;
  readonly handles: number;
  readonly children: number;
  readonly journal: number;
  readonly calls: number;
}
async function soaked(minutes: number, ...leak: readonly string[]) {
  const argv = [process.execPath, '--expose-gc', SOAK, place.home, place.project, `${minutes}`, ...leak];
  const { stdout, stderr, code } = await endOf(place.start(argv));
  expect([code, stderr]).toEqual([0, '']);
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Sample);
  const verdicts = lines.pop() as unknown as Readonly<Record<string, number>>;
  const third = Math.max(1, Math.floor(lines.length / 3));
  const memoryOf = (samples: readonly Sample[]) =>
    percentile(
      samples.map(({ rss }) => rss),
      0.5,
    ) /
    2 ** 20;
  return {
    verdicts,
    growth: memoryOf(lines.slice(-third)) - memoryOf(lines.slice(third, 2 * third)),
    first: lines[0]!,
    last: lines.at(-1)!,
    journal: Math.max(...lines.map(({ journal }) => journal)),
  };
}

test(`a host stays within its limits during ${MINUTES} minutes of mixed work`, async () => {
  const { verdicts, growth, first, last, journal } = await soaked(MINUTES);
  const left = await place.left();
  result(
    'G18',
    `${MINUTES} minutes, ${grouped(last.calls)} calls of five kinds, four of them faulty`,
    `memory ${growth >= 0 ? '+' : ''}${growth.toFixed(1)} MB, handles ${first.handles} → ${last.handles}, children ${first.children} → ${last.children}, journal at most ${(journal / 1e6).toFixed(1)} MB of the 2 allowed, ${left.length} processes left`,
  );
  const kinds = Object.keys(verdicts).toSorted();
  expect(kinds).toEqual(['breaks: deny', 'fine: none', 'hangs: deny', 'leaves: none', 'no: deny']);
  // The journals of the last 32 sessions stay open, with their heads.
  const sessions = Math.min(32, Math.ceil(last.calls / SESSION_CALLS));
  expect(last.handles).toBeLessThanOrEqual(first.handles + 2 * (sessions - 1));
  expect([last.children, left]).toEqual([first.children, []]);
  expect(growth).toBeLessThan(MOST_GROWTH_MB);
  // A session of 500 calls may exceed the limit before the next one frees space.
  expect(journal).toBeLessThan(4_000_000);
});

test('control: a host that leaks 400 KB per call is detected', async () => {
  const { growth } = await soaked(0.5, 'leak');
  control('G18', 'a host that keeps 400 KB of every call, half a minute', `memory +${growth.toFixed(1)} MB`);
  expect(growth).toBeGreaterThan(MOST_GROWTH_MB);
});
