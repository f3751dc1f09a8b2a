/** Events that nobody listens to: the engine answers them from what the cold way has remembered, and opens no session for it. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeEach, expect, test as anyTest } from 'vitest';
import { CLI, WarmWorld } from './world.ts';
import { lacks } from '../programs.mjs';

/** The launcher asks the engine with OpenBSD's nc. */
const test = anyTest.skipIf(lacks('nc'));

const world = new WarmWorld();
const event = world.bash('ls');
const SILENT = { code: 0, stdout: '', stderr: '' };
const SETTINGS = 'home/.config/anyhook/hooks.json';
const stop = () => world.run([process.execPath, CLI, 'engine', 'stop']);

beforeEach(async () => {
  world.install('codex');
  await stop();
  rmSync(join(world.root, SETTINGS), { force: true });
});
afterAll(() => world.close(), 30_000);

const status = async () => {
  const { sessions, events } = (await world.status()) ?? { sessions: undefined, events: undefined };
  return { sessions, events };
};
const listening = async (): Promise<boolean> => {
  for (let i = 0; world.owner === undefined && i < 250; i++) await pause(20);
  return world.owner !== undefined;
};

test('the first event starts an engine although nobody listens, and it answers the next ones without a session', async () => {
  // Not a tool call: self-protection looks at every one of those.
  const prompt = world.payload('UserPromptSubmit', { prompt: 'hello' });
  expect(await world.line(prompt)).toEqual(SILENT);
  expect(await listening()).toBe(true);
  expect([await world.warm(prompt), await world.warm(prompt)]).toEqual([SILENT, SILENT]);
  expect(await status()).toEqual({ sessions: 0, events: 2 });
}, 120_000);

test('our program asks it too, where there is no nc, before it looks at its own memory', async () => {
  await world.warmUp(event);
  world.install('codex', 'node');
  const { events } = await status();
  expect([await world.line(event), await world.line(event)]).toEqual([SILENT, SILENT]);
  expect((await status()).events).toBe(events! + 2);
}, 120_000);

test('one that is answered from memory starts an engine too, where none is', async () => {
  for (let i = 0; i < 2; i++) expect(await world.cold(event)).toEqual(SILENT);
  await listening();
  await stop();
  expect(await world.line(event)).toEqual(SILENT);
  expect(await listening()).toBe(true);
}, 120_000);

test('a guard that comes counts at the very next event', async () => {
  await world.warmUp(event);
  world.put(SETTINGS, { hooks: { 'tool.before': [{ match: 'shell', run: 'echo no >&2; exit 2' }] } });
  const { code, stderr } = await world.line(event);
  expect([code, stderr]).toEqual([2, expect.stringMatching(/^no \[/)]);
}, 120_000);

test('a payload that is no event goes the cold way, which says what is wrong with it', async () => {
  await world.warmUp(event);
  const { events } = await status();
  const warm = await world.line('{"session_id":"s1"}');
  expect(warm).toEqual(await world.cold('{"session_id":"s1"}'));
  expect([warm.code, (await status()).events]).toEqual([2, events]);
}, 120_000);

test('an event without listeners starts no engine if the settings turn the engine off', async () => {
  const other = new WarmWorld(); // the guard of the test above would be missed here
  other.install('codex');
  other.put(SETTINGS, { engine: 'off', hooks: {} });
  for (let i = 0; i < 3; i++) expect(await other.line(other.bash('ls'))).toEqual(SILENT);
  await pause(3000);
  expect(other.owner).toBeUndefined();
  await other.close();
}, 120_000);
