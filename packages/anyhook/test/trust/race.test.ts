/** Reliability G11 at the command line: only the trusted bytes run, even if another process swaps them. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { inTurns, World } from './world.ts';

const SWAP = fileURLToPath(new URL('../../src/settings/trust/fixtures/swap.mjs', import.meta.url));
/** The tests beside the source run this race thousands of times. Here each run is a process. */
const RUNS = 40;

/** The other process restores this exact text between its swaps, so the trusted content appears again and again. */
function raced(): World {
  const world = new World();
  world.put('hooks/g.sh', '#!/bin/sh\n. "$(dirname "$0")/lib.sh"\nsay good\n');
  world.put('hooks/lib.sh', 'say() { echo "$1"; }\n');
  return world;
}

async function swapping(world: World, act: () => Promise<unknown>): Promise<void> {
  const child = spawn(process.execPath, [SWAP, world.project], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  await act();
  child.kill('SIGKILL');
}
const fires = (world: World, count: number) =>
  inTurns(Array.from({ length: count }), 3, () => world.fire('read', { path: 'x' }));
const settings = (script: string) =>
  JSON.stringify({ hooks: { 'tool.before': [{ run: `${script} >> "$RAN"` }] } });

describe('a script that is swapped while agents fire', () => {
  test('a script that is swapped while agents fire runs as the trusted bytes or not at all', async () => {
    const world = raced();
    world.put('.anyhook/hooks.json', settings('./hooks/g.sh'));
    expect(await world.trustAll()).toHaveLength(1);
    await world.fire('read', { path: 'x' });
    expect(world.marks).toBe('good\n'); // Otherwise there would be no race.
    await swapping(world, () => fires(world, RUNS));
    const marks = world.marks.trim().split('\n');
    expect([new Set(marks), marks.length > 1]).toEqual([new Set(['good']), true]);
  }, 180_000);

  test('control: a script that runs from the project may run swapped bytes, so the race is real', async () => {
    const world = raced();
    world.put('.config/anyhook/hooks.json', settings(`${world.project}/hooks/g.sh`), world.home);
    await swapping(world, async () => {
      for (let round = 0; round < 20 && !world.marks.includes('evil'); round++) await fires(world, 5);
    });
    expect(world.marks).toContain('evil');
  }, 180_000);
});
