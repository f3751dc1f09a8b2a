/**
 * Agents may give events of a session different variables. Each hook gets those of its event, and the session stays
 * one.
 */

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { DaemonWorld } from './world.ts';

const world = new DaemonWorld();
const log = join(world.root, 'log');
const HOOKS = {
  hooks: { 'tool.before': [{ name: 'shell', match: 'shell(shell)', run: `echo "[$EFFORT]" >> ${log}` }] },
};
/** `slow` runs until another event was judged. */
const MODULE = `import { appendFileSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { defineHook } from 'anyhook';
export default defineHook({
  on: 'tool.before',
  match: 'shell(module) | shell(slow)',
  async run({ payload }) {
    if (payload.input.command === 'slow') {
      appendFileSync(${JSON.stringify(log)}, 'working\\n');
      for (let i = 0; i < 600 && !readFileSync(${JSON.stringify(log)}, 'utf8').includes('high'); i++) await pause(50);
    }
    appendFileSync(${JSON.stringify(log)}, [process.pid, process.env.EFFORT].join(' ') + '\\n');
  },
});
`;
const call = (command: string, effort: string) =>
  world.line(world.bash(command), { first: effort === '' ? '' : `EFFORT=${effort}; export EFFORT; ` });
const inLog = (): string[][] => world.lines('log').map((line) => line.split(' '));

beforeAll(() => {
  world.put('home/.config/anyhook/hooks.json', HOOKS);
  world.install('codex');
});
afterAll(() => world.close(), 30_000);
let tests = 0;
beforeEach(() => {
  world.session = `environment-${++tests}`;
  rmSync(log, { force: true });
});

test('a shell hook gets the variables of its own event, also one that was set before and is not any more', async () => {
  for (const effort of ['low', 'high', '', 'low']) expect((await call('shell', effort)).code).toBe(0);
  expect(inLog()).toEqual([['[low]'], ['[high]'], ['[]'], ['[low]']]);
}, 60_000);

test('events with different variables belong to one session', async () => {
  const before = (await world.state())?.sessions ?? 0;
  for (const effort of ['low', 'high', '', 'other']) await call('shell', effort);
  expect((await world.state())?.sessions).toBe(before + 1);
}, 60_000);

test('a module runs in one process and sees the variables of its event', async () => {
  world.put('home/.config/anyhook/hooks/log.ts', MODULE);
  for (const effort of ['low', 'high', '', 'low']) expect((await call('module', effort)).code).toBe(0);
  const lines = inLog();
  expect(lines.map(([, effort]) => effort)).toEqual(['low', 'high', '', 'low']);
  expect(new Set(lines.map(([pid]) => pid)).size).toBe(1);
}, 60_000);

test('NODE_OPTIONS of a project runs no code in the process of a session, and reaches hook commands', async () => {
  world.put('home/.config/anyhook/hooks/log.ts', MODULE);
  const planted = world.put(
    'planted.cjs',
    `require('fs').appendFileSync(${JSON.stringify(log)}, 'planted\\n')`,
  );
  world.put('home/.config/anyhook/hooks.json', {
    hooks: { 'tool.before': [{ run: `echo "$NODE_OPTIONS" >> ${log}` }] },
  });
  await world.line(world.bash('ls'), { first: `NODE_OPTIONS='--require ${planted}'; export NODE_OPTIONS; ` });
  expect(world.lines('log')).toEqual([`--require ${planted}`]);
  world.put('home/.config/anyhook/hooks.json', HOOKS);
}, 60_000);

test('an event that arrives while a module works for another environment does not change its variables', async () => {
  world.put('home/.config/anyhook/hooks/log.ts', MODULE);
  const slow = call('slow', 'low');
  for (let i = 0; i < 600 && world.lines('log').length === 0; i++) await pause(50);
  await call('module', 'high');
  await slow;
  const [, during, after] = inLog();
  expect([during![1], after![1]]).toEqual(['high', 'low']);
  expect(during![0]).not.toBe(after![0]);
}, 60_000);

test('the end of a session closes all of it, whatever variables its events had', async () => {
  world.put('home/.config/anyhook/hooks/log.ts', MODULE);
  const before = (await world.state())?.sessions ?? 0;
  for (const effort of ['low', 'high']) await call('module', effort);
  expect((await world.state())?.sessions).toBe(before + 1);
  await world.line(world.payload('SessionEnd', { reason: 'other' }), { isClosed: false });
  expect((await world.state())?.sessions).toBe(before);
}, 60_000);
