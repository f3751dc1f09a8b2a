/**
 * Repeats G2, G6 and G14 with the daemon (G5 is in daemon-kill.test.ts): agents get the same answers as from a direct
 * run.
 */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { WayOf } from '../../src/events/hook.ts';
import { processes } from '../../src/runners/command/processes.mjs';
import { DaemonWorld } from '../daemon/world.ts';
import { commandFaults } from './faults.ts';
import { counted, percentile, result } from './results.ts';

const POLICIES = ['block', 'ask', 'allow'] as const;
const LATE = counted(60, 6);
const [TIMEOUT_MS, SURELY_MS] = [500, 20_000];

const world = new DaemonWorld();
const faults = commandFaults(world.root);

beforeAll(() => {
  const broken = faults.flatMap(({ way, timeoutMs }, at) => {
    const { run } = way as WayOf<'command'>;
    return POLICIES.map((onFailure) => ({
      match: `shell(f${at}-${onFailure})`,
      run: 'line' in run ? run.line : run.argv,
      timeoutMs,
      onFailure,
    }));
  });
  const again = world.put(
    'again.sh',
    `#!/bin/sh
echo x >> ${world.root}/levels
exec env -i PATH="$PATH" HOME=${world.home} /bin/sh ${world.put('line.sh', world.command())} < ${world.put('again.json', world.bash('again'))}
`,
  );
  world.put('home/.config/anyhook/hooks.json', {
    hooks: {
      'tool.before': [
        ...broken,
        { match: 'shell(no)', run: 'echo no >&2; exit 2' },
        { match: 'shell(late)', run: "trap '' TERM; sleep 300 & wait; sleep 300", timeoutMs: TIMEOUT_MS },
        { match: 'shell(again)', run: again, timeoutMs: 120_000 },
      ],
    },
  });
  world.install('codex');
});
afterAll(() => world.close(), 60_000);

test('every fault of a command under every policy has the expected result through the daemon', async () => {
  await world.line(world.bash('no'));
  const wrong: string[] = [];
  for (const [at, { name }] of faults.entries())
    for (const policy of POLICIES) {
      const { code } = await world.line(world.bash(`f${at}-${policy}`));
      // Codex cannot ask the user, so a question is a refusal.
      if (code !== (policy === 'allow' ? 0 : 2)) wrong.push(`${name}, ${policy}: exit ${code}`);
    }
  result(
    'G2',
    `through the daemon: ${faults.length} faults of commands, 3 policies: ${faults.length * POLICIES.length} cells`,
    `${wrong.length} wrong`,
  );
  expect(wrong).toEqual([]);
});

const leftOf = (word: string): number[] =>
  processes().flatMap(({ pid }) => {
    try {
      const isOurs = readFileSync(`/proc/${pid}/environ`, 'latin1').includes(`HOME=${world.home}`);
      return isOurs && readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes(word) ? pid : [];
    } catch {
      return [];
    }
  });
async function left(word: string, withinMs = 20_000): Promise<number[]> {
  for (const until = Date.now() + withinMs; Date.now() < until; await pause(50))
    if (leftOf(word).length === 0) return [];
  return leftOf(word);
}

test('hooks that never end are killed at their deadline through the daemon', async () => {
  await world.line(world.bash('no'));
  const late: number[] = [];
  const worker = async () => {
    while (late.length < LATE) {
      const started = performance.now();
      const { code } = await world.line(world.bash('late'));
      late.push(performance.now() - started - TIMEOUT_MS);
      expect(code).toBe(2);
    }
  };
  await Promise.all(Array.from({ length: 4 }, worker));
  result(
    'G6',
    `through the daemon: ${LATE} hooks deaf to TERM, with their client's own time`,
    `p50 ${Math.round(percentile(late, 0.5))} ms, p99 ${Math.round(percentile(late, 0.99))} ms after the deadline (2,000 of it grace), ${(await left('sleep 300')).length} processes left`,
  );
  expect([percentile(late, 0.99) < SURELY_MS, await left('sleep 300')]).toEqual([true, []]);
});

test('recursion through the daemon stops at three levels, even without an environment', async () => {
  await world.line(world.bash('no'));
  const { code } = await world.line(world.bash('again'));
  const levels = world.lines('levels').length;
  result(
    'G14',
    'through the daemon: a hook that clears its environment and starts its agent again',
    `${levels} levels, then refused`,
  );
  expect([code, levels]).toEqual([2, 3]);
  expect(existsSync(join(world.root, 'levels'))).toBe(true);
});
