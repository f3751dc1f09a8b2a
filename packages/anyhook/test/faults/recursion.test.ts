/** G14: hooks that start agents that fire hooks, and hooks that never let the agent stop. */

import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { before, ground, USER } from '../../src/library/fixtures/ground.ts';
import { control, result } from './results.ts';

const DOOR = new URL('../../dist/index.js', import.meta.url).href;
const PROGRAM = `
import { createHooks } from ${JSON.stringify(DOOR)};
import { EVERYTHING } from ${JSON.stringify(new URL('testing/index.js', DOOR).href)};
const hooks = await createHooks({ host: { name: 'program', can: EVERYTHING } });
await hooks.fire({ name: 'tool.before', payload: { tool: 'shell', input: { command: 'ls' } } });`;

/** How often the hook runs if it starts this many copies of its program with such a command. */
async function runs(copies: number, start: (program: string, home: string) => string): Promise<number> {
  const place = ground();
  const [tally, program] = [join(place.root, 'tally'), place.put('program.mjs', PROGRAM)];
  const one = start(program, place.home);
  const run = `echo x >> ${tally}; for i in $(seq ${copies}); do ${one} & done; wait; exit 0`;
  place.put(USER, JSON.stringify(before({ run, timeoutMs: 300_000 })));
  await promisify(execFile)(process.execPath, [program], {
    cwd: place.cwd,
    env: { PATH: process.env['PATH'], HOME: place.home },
    timeout: 300_000,
  });
  return existsSync(tally) ? readFileSync(tally, 'utf8').trim().split('\n').length : 0;
}
const NODE = process.execPath;
const inherits = (program: string) => `${NODE} ${program}`;
const clears = (program: string, home: string) => `env -i PATH="$PATH" HOME=${home} ${NODE} ${program}`;

test('a hook that starts its agent again is limited, with and without its environment', async () => {
  const came = {
    once: await runs(1, inherits),
    cleared: await runs(1, clears),
    fourfold: await runs(4, inherits),
    'fourfold, cleared': await runs(4, clears),
  };
  result(
    'G14',
    'hooks inside hooks',
    Object.entries(came)
      .map(([how, times]) => `${how}: ${times} runs`)
      .join(', '),
  );
  expect([came.once, came.cleared]).toEqual([3, 3]);
  // At most three levels of four copies or the shared budget, whichever is less, plus the first level.
  expect(came.fourfold).toBeLessThanOrEqual(51);
  expect(came['fourfold, cleared']).toBeLessThanOrEqual(51);
}, 900_000);

test('control: without a limit each run starts the next', async () => {
  const place = ground();
  const tally = join(place.root, 'tally');
  const script = place.put('bare.sh', `echo x >> ${tally}; [ $(wc -l < ${tally}) -ge 20 ] || sh "$0"`);
  await promisify(execFile)('/bin/sh', [script], { timeout: 60_000 });
  const runs = readFileSync(tally, 'utf8').trim().split('\n').length;
  control('G14', 'a script that starts itself, with nobody between', `${runs} runs, ended by its own count`);
  expect(runs).toBe(20);
});

test('a hook that never lets the agent stop is ignored after eight times', async () => {
  const place = ground({ [USER]: { hooks: { 'turn.stop': [{ run: 'echo more >&2; exit 2' }] } } });
  const hooks = await place.open();
  let goesOn = 0;
  for (let turn = 0; turn < 30; turn++) {
    const { proceed } = await hooks.fire({
      name: 'turn.stop',
      payload: { active: turn > 0 },
      ids: { session: 's' },
    });
    if (proceed === 'yes') break;
    goesOn++;
  }
  // Control: the limit is per session, and a new session runs the hook again.
  const fresh: string[] = [];
  for (let at = 0; at < 10; at++)
    fresh.push(
      (await hooks.fire({ name: 'turn.stop', payload: { active: false }, ids: { session: `s${at}` } }))
        .proceed,
    );
  const held = fresh.filter((proceed) => proceed === 'no').length;
  control('G14', 'the same hook in ten sessions of their own', `${held} of 10 go on`);
  expect(held).toBe(10);
  result('G14', 'a hook that never lets the agent stop', `the agent stops after ${goesOn} times`);
  expect(goesOn).toBeLessThanOrEqual(8);
});
