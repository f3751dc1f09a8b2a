/** Whose the engine's places are, how long it stays, and what a clock that jumps does to it. */
import { spawn } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { isRunning } from '../../src/hosts/warm/owner.ts';
import { enginePlaces } from '../../src/hosts/warm/places.ts';
import { CLI, WarmWorld } from './world.ts';
import { lacks } from '../programs.mjs';

const PROGRAM = fileURLToPath(new URL('../../dist/bin/hosts-warm-engine-program.cjs', import.meta.url));
const world = new WarmWorld();
const event = world.bash('ls');
const REFUSED = [2, expect.stringMatching(/^no \[/)];
const HOOK = { match: 'shell', run: 'echo no >&2; exit 2' };

beforeAll(() => {
  world.put('home/.config/anyhook/hooks.json', { hooks: { 'tool.before': [HOOK] } });
  world.install('codex');
});
afterEach(() => world.run([process.execPath, CLI, 'engine', 'stop']));
afterAll(() => world.close(), 30_000);

const answered = async (): Promise<unknown[]> => {
  const { code, stderr } = await world.line(event);
  return [code, stderr];
};

test('it ends when nothing comes, and takes its places away', async () => {
  const idleMs = 1500;
  const { folder, socket, owner } = world.places;
  const ended = new Promise((resolve) =>
    spawn(process.execPath, [PROGRAM, folder, String(idleMs)], { env: world.env }).on('close', resolve),
  );
  for (let i = 0; world.owner === undefined && i < 1000; i++) await pause(20);
  expect(existsSync(socket)).toBe(true);
  expect([await ended, existsSync(socket), existsSync(owner)]).toEqual([0, false, false]);
}, 120_000);

describe.runIf(process.getuid?.() === 0)('what belongs to somebody else', () => {
  const NOBODY = 65_534;

  test('a socket is not asked: the cold way answers', async () => {
    await world.warmUp(event);
    const events = await world.answered();
    chownSync(world.places.socket, NOBODY, NOBODY);
    expect([await answered(), await world.answered()]).toEqual([REFUSED, events]);
  }, 180_000);

  test.skipIf(lacks('nc'))(
    'a folder: the cold way answers, and the engine in it goes',
    async () => {
      await world.warmUp(event);
      const engine = world.owner!;
      expect(isRunning(engine)).toBe(true);
      chownSync(world.places.folder, NOBODY, NOBODY);
      expect(await answered()).toEqual(REFUSED);
      for (let i = 0; isRunning(engine) && i < 1000; i++) await pause(20);
      expect(isRunning(engine)).toBe(false);
      chownSync(world.places.folder, 0, 0);
    },
    180_000,
  );
});

test('where the home is too deep for a socket, every event is answered the cold way, and it is said why', async () => {
  const deep = new WarmWorld(`${'d'.repeat(90)}/home`);
  try {
    deep.put(`${deep.homeName}/.config/anyhook/hooks.json`, { hooks: { 'tool.before': [HOOK] } });
    deep.install('codex');
    for (let i = 0; i < 2; i++) {
      const { code, stderr } = await deep.line(deep.bash('ls'));
      expect([code, stderr]).toEqual(REFUSED);
    }
    const { stdout } = await deep.run([process.execPath, CLI, 'engine', 'status']);
    expect(stdout).toMatch(/^No engine can run here: the path of its socket is longer than 92 bytes/);
    expect(existsSync(enginePlaces(join(deep.home, '.local/state/anyhook/engine')).socket)).toBe(false);
  } finally {
    await deep.close();
  }
}, 120_000);

test.skipIf(lacks('nc'))(
  'a clock that was set back keeps nobody from starting an engine, nor from an answer',
  async () => {
    mkdirSync(world.places.spool, { recursive: true, mode: 0o700 });
    writeFileSync(world.places.starting, '', { mode: 0o600 });
    const anHourAhead = Date.now() / 1000 + 3600;
    utimesSync(world.places.starting, anHourAhead, anHourAhead);
    utimesSync(join(world.home, '.config/anyhook/hooks.json'), anHourAhead, anHourAhead);
    expect(await answered()).toEqual(REFUSED);
    expect([(await world.warmUp(event)).code, await answered()]).toEqual([2, REFUSED]);
  },
  120_000,
);
