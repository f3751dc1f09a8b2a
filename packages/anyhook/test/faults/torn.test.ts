/**
 * G5: SIGKILL in the middle of a line while other processes write to the same journal. Acknowledged records stay
 * readable, also after a torn line.
 */

import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { linesIn } from '../../src/journal/fixtures/ground.ts';
import { sessionParts } from '../../src/journal/session-parts.ts';
import { endOf, FaultGround } from './ground.ts';
import { dice } from './random.ts';
import { control, counted, grouped, result, SEED } from './results.ts';

const KILLS = counted(200, 8);
const AT_ONCE = 3;
const place = new FaultGround([{ name: 'another call', match: 'shell(rm *)', run: 'true' }]);
afterAll(() => place.close());

function writer(bytes: number, pauseMs: number) {
  const program = join(import.meta.dirname, 'fixtures/long-lines.mjs');
  const child = place.start([process.execPath, program, place.home, place.project, `${bytes}`, `${pauseMs}`]);
  const end = endOf(child);
  return {
    begun: new Promise((resolve) => child.stdout!.once('data', resolve)),
    kill: async (): Promise<string[]> => {
      child.kill('SIGKILL');
      return (await end).stdout.split('\n').slice(0, -1);
    },
  };
}

test(`after ${KILLS} × kill -9 of a writer of long lines the records of other writers are readable`, async () => {
  const { below } = dice(SEED);
  const steady = writer(0, 1);
  await steady.begun;
  const acknowledged: string[] = [];
  let kills = 0;
  const worker = async () => {
    while (kills++ < KILLS) {
      const one = writer(220_000, 0);
      await one.begun;
      await pause(below(60));
      acknowledged.push(...(await one.kill()));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  // Kills tear a line only sometimes. This line is always torn.
  const last = sessionParts(place.journal().file).at(-1)!;
  appendFileSync(last, readFileSync(last).subarray(0, 40));
  await pause(1_000);
  acknowledged.push(...(await steady.kill()));
  const read = new Set(place.calls());
  const lost = acknowledged.filter((call) => !read.has(call));
  const { file, problems, notes } = place.journal();
  // The last kill tore the last line, and nothing was written since.
  const unexplained = problems.filter(({ kind }) => kind !== 'torn');
  const torn = notes.filter(({ kind }) => kind === 'torn').length;
  result(
    'G5',
    `${KILLS} × kill -9 of a writer of long lines, beside others, seed ${SEED}`,
    `${torn} lines torn, ${lost.length} of ${grouped(acknowledged.length)} acknowledged records lost, ${unexplained.length} breaks in the chain`,
  );
  const byWholeLines = new Set(sessionParts(file).flatMap(linesIn).flatMap(callOfWholeLine));
  const unread = acknowledged.filter((call) => !byWholeLines.has(call));
  control(
    'G5',
    'a reader that takes a line for one record',
    `${unread.length} of ${grouped(acknowledged.length)} acknowledged records not read`,
  );
  expect([lost, unexplained]).toEqual([[], []]);
  expect(acknowledged.length).toBeGreaterThan(KILLS);
  expect([torn > 0, unread.length > 0]).toEqual([true, true]);
});

function callOfWholeLine(line: string): string[] {
  try {
    return [(JSON.parse(line) as { ids: { call: string } }).ids.call];
  } catch {
    return [];
  }
}
