/** Changes made while a program runs apply to later fires, even if no hook has an opinion. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { endPause, writePause } from '../settings/pause.ts';
import { askForReload } from '../settings/reload.ts';
import { before, ground, shell, USER } from './fixtures/ground.ts';

/** A program with one hook that returns nothing, after ten fires. */
async function quietProgram() {
  const place = ground({});
  const hooks = await place.open({ journal: false, hooks: { 'tool.before': () => undefined } });
  for (let i = 0; i < 10; i++) await hooks.fire(shell('ls'));
  return { hooks, pause: join(place.root, 'home/.local/share/anyhook/paused.json') };
}

test('a pause and its end apply to a running program', async () => {
  const { hooks, pause } = await quietProgram();
  const isPaused = async () => (await hooks.fire(shell('ls'))).paused;
  expect(await isPaused()).toBe(undefined);
  writePause(pause, { sinceMs: Date.now(), untilMs: Date.now() + 600_000 });
  await expect.poll(isPaused, { timeout: 5000 }).toBe(true);
  endPause(pause);
  await expect.poll(isPaused, { timeout: 5000 }).toBe(undefined);
  await hooks.close();
});

test('a close refuses later fires, even if its hooks are quiet', async () => {
  const { hooks } = await quietProgram();
  expect((await hooks.fire(shell('ls'))).proceed).toBe('yes');
  await hooks.close();
  expect((await hooks.fire(shell('ls'))).proceed).toBe('no');
});

test('a hook that is added later is called', async () => {
  const { hooks } = await quietProgram();
  hooks.on('tool.before', () => ({ kind: 'deny', reason: 'no' }));
  expect((await hooks.fire(shell('ls'))).proceed).toBe('no');
  await hooks.close();
});

test('a reload requested by another program takes effect where no hook was listening', async () => {
  const { root, open } = ground({ [USER]: {} });
  const hooks = await open();
  const proceed = async () => (await hooks.fire(shell('ls'))).proceed;
  for (let i = 0; i < 10; i++) expect(await proceed()).toBe('yes');
  writeFileSync(join(root, USER), JSON.stringify(before({ run: 'exit 2' })));
  expect(await proceed()).toBe('yes');
  askForReload(join(root, 'home/.local/state/anyhook/reload'));
  await expect.poll(proceed, { timeout: 5000 }).toBe('no');
  await hooks.close();
});
