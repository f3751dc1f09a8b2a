import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { lacks } from '../../../test/programs.mjs';
import {
  descendants,
  isAnybodyBeginning,
  listed,
  lives,
  marked,
  processes,
  sight,
  soonSight,
} from './processes.mjs';

const sleeper = async (env: Record<string, string>) => {
  const child = spawn('sleep', ['60'], { env: { PATH: process.env['PATH'], ...env }, detached: true });
  await once(child, 'spawn');
  return { pid: child.pid!, end: async () => (child.kill('SIGKILL'), once(child, 'close')) };
};

test.skipIf(lacks('ps'))('both ways to list processes report the same parent and group', async () => {
  const { pid, end } = await sleeper({});
  const seen = { pid, parent: process.pid, group: pid, born: expect.any(String) };
  expect(processes().filter((one) => one.pid === pid)).toEqual([seen]);
  expect(listed().filter((one) => one.pid === pid)).toEqual([seen]);
  await end();
});

test('a reused process id is recognised as another process', async () => {
  const { pid, end } = await sleeper({});
  const [seen] = processes().filter((one) => one.pid === pid);
  expect(lives(seen!)).toBe(true);
  expect(lives({ ...seen!, born: '1' })).toBe(false);
  await end();
  expect(lives(seen!)).toBe(false);
});

test('finds a mark in its variable, complete, and nowhere else', async () => {
  const mark = 'fedcba9876543210-1/';
  const own = await sleeper({ ANYHOOK_RUN: mark });
  const inner = await sleeper({ A: 'x', ANYHOOK_RUN: `${mark}0123456789abcdef-1/` });
  const tenth = await sleeper({ ANYHOOK_RUN: 'fedcba9876543210-10/' });
  const other = await sleeper({ XANYHOOK_RUN: mark, NOTE: `ANYHOOK_RUN=${mark}` });
  const ids = marked(sight(performance.now()), mark).map(({ pid }) => pid);
  expect(ids.toSorted()).toEqual([own.pid, inner.pid].toSorted());
  await Promise.all([own, inner, tenth, other].map(({ end }) => end()));
});

test.runIf(process.platform === 'linux')(
  'a process whose environment appears later was starting; one that never has any was not',
  async () => {
    const child = spawn('/bin/sleep', ['60'], { env: {} });
    await once(child, 'spawn');
    const one = (pid: number) => ({ pid, parent: process.pid, group: pid, born: '1' });
    const looked = (pid: number, trail: string | null) =>
      isAnybodyBeginning({ at: 0, all: [one(pid)], trails: new Map([[pid, trail]]) });
    const [begun, gone] = [await sleeper({ A: 'x' }), await sleeper({})];
    await gone.end();
    expect([
      looked(begun.pid, null),
      looked(begun.pid, ''),
      looked(child.pid!, null),
      looked(gone.pid, null),
    ]).toEqual([true, false, false, false]);
    const seen = sight(performance.now());
    marked(seen, 'nobody');
    expect([seen.trails.get(child.pid!), seen.trails.get(begun.pid)]).toEqual([null, '']);
    await begun.end();
    child.kill('SIGKILL');
    await once(child, 'close');
  },
);

test('finds descendants through all their parents', () => {
  const of = (pid: number, parent: number) => ({ pid, parent, group: 1, born: '' });
  const all = [of(5, 4), of(4, 3), of(3, 1), of(9, 1), of(2, 1)];
  expect(descendants(all, [3]).map(({ pid }) => pid)).toEqual([5, 4, 3]);
});

test('a snapshot is shared until a newer one is requested', async () => {
  const before = sight(performance.now());
  const { pid, end } = await sleeper({});
  expect(sight(before.at)).toBe(before);
  const after = sight(performance.now());
  expect([before, after].map(({ all }) => all.some((one) => one.pid === pid))).toEqual([false, true]);
  await end();
});

test('asynchronous callers share the next snapshot and never get an older one', async () => {
  const before = sight(performance.now());
  expect(await soonSight(before.at)).toBe(before);
  const since = performance.now();
  const looks = await Promise.all([soonSight(since), soonSight(performance.now()), soonSight(since)]);
  expect([new Set(looks).size, looks[0]!.at > since]).toEqual([1, true]);
});
