/**
 * G5 through the daemon: kills it and its clients with SIGKILL at random moments. Each call is answered and refused,
 * refusals are recorded, and no process is left.
 */

import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { journalFileOf, readFile } from '../../src/journal/index.ts';
import { processes } from '../../src/runners/command/processes.mjs';
import { CLI, DaemonWorld } from '../daemon/world.ts';
import { dice } from './random.ts';
import { control, counted, result, SEED } from './results.ts';

const KILLS = counted(200, 8);
/** Several homes, each with its own daemon, because starting the next daemon takes most of the time. */
const WORLDS = 4;
const NO = 'echo no >&2; exit 2';

function makeWorld(): DaemonWorld {
  const world = new DaemonWorld();
  world.put('home/.config/anyhook/hooks.json', {
    hooks: {
      'tool.before': [
        { match: 'shell(no)', run: NO },
        // Leaves a child process behind.
        { match: 'shell(wait *)', run: `sleep 300 & sleep 0.2; ${NO}` },
      ],
    },
  });
  world.install('codex');
  return world;
}
const worlds = Array.from({ length: WORLDS }, makeWorld);
afterAll(() => Promise.all(worlds.map((world) => world.close())), 60_000);

const sleepers = (): number[] =>
  processes().flatMap(({ pid }) => {
    try {
      const environ = readFileSync(`/proc/${pid}/environ`, 'latin1');
      const isOurs = worlds.some(({ home }) => environ.includes(`HOME=${home}`));
      return isOurs && readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes('sleep') ? pid : [];
    } catch {
      return [];
    }
  });
async function left(withinMs = 20_000): Promise<number[]> {
  for (const until = Date.now() + withinMs; Date.now() < until; await pause(50))
    if (sleepers().length === 0) return [];
  return sleepers();
}

/** Calls whose refusal by their guard is in the journal of the session. */
function recorded(world: DaemonWorld): Set<string> {
  const file = journalFileOf(join(world.home, '.local/state/anyhook/journal'), 's1');
  return new Set(
    [...readFile(file, { verdict: 'deny' })].flatMap((entry) =>
      entry.kind === 'record' ? (entry.record as unknown as Recorded).before.input.command : [],
    ),
  );
}
interface Recorded {
  readonly before: { readonly input: { readonly command: string } };
}
async function isSound(world: DaemonWorld): Promise<boolean> {
  const { stdout } = await world.run([process.execPath, CLI, 'verify', '--json']);
  return (JSON.parse(stdout) as { readonly ok: boolean }).ok;
}
function killDaemon({ owner }: DaemonWorld): boolean {
  try {
    return owner !== undefined && process.kill(owner.pid, 'SIGKILL');
  } catch {
    return false; // It was killed before.
  }
}

test(`after ${KILLS} × kill -9 of the daemon each call is answered and refused`, async () => {
  const { below } = dice(SEED);
  let [kills, calls, refused, said] = [0, 0, 0, 0];
  const lost: string[] = [];
  const worker = async (world: DaemonWorld) => {
    const acknowledged: string[] = [];
    while (kills < KILLS) {
      const command = `wait ${++calls}`;
      // Kill every second daemon while it starts and the others while they answer.
      if (calls % 2 === 0) await world.line(world.bash('no'));
      const answer = world.line(world.bash(command));
      await pause(below(500));
      if (kills < KILLS && killDaemon(world)) kills++;
      const { code, stderr } = await answer;
      if (code === 2) refused++;
      if (stderr.startsWith('no ')) acknowledged.push(command);
    }
    const kept = recorded(world);
    said += acknowledged.length;
    lost.push(...acknowledged.filter((command) => !kept.has(command)));
  };
  await Promise.all(worlds.map(worker));
  const processesLeft = await left();
  const chains = await Promise.all(worlds.map(isSound));
  result(
    'G5',
    `${kills} × kill -9 of the daemon, seed ${SEED}`,
    `${refused} of ${calls} calls refused, ${said} of them in the guard’s own words, ${lost.length} of these without a record, ${processesLeft.length} processes left, ${chains.filter((ok) => !ok).length} breaks in the chain`,
  );
  expect([refused, lost, processesLeft, chains]).toEqual([calls, [], [], worlds.map(() => true)]);
  expect(said).toBeGreaterThan(calls / 10);
});

test(`after ${KILLS} × kill -9 of the client the daemon continues, and no process is left`, async () => {
  const { below } = dice(SEED + 1);
  let kills = 0;
  const worker = async (world: DaemonWorld): Promise<boolean> => {
    const line = world.command();
    await world.line(world.bash('no'));
    const { pid } = world.owner!;
    while (kills < KILLS) {
      const client = spawn('/bin/sh', ['-c', line], {
        cwd: world.project,
        env: world.env,
        stdio: ['pipe', 'ignore', 'ignore'],
      });
      client.stdin.on('error', () => {}).end(JSON.stringify(world.bash(`wait ${kills}`)));
      await pause(below(150));
      if (client.kill('SIGKILL')) kills++;
    }
    const { code } = await world.line(world.bash('no'));
    expect(code).toBe(2);
    return world.owner?.pid === pid;
  };
  const stayed = await Promise.all(worlds.map(worker));
  const processesLeft = await left();
  const chains = await Promise.all(worlds.map(isSound));
  result(
    'G5',
    `${kills} × kill -9 of the client, seed ${SEED + 1}`,
    `${stayed.filter(Boolean).length} of ${WORLDS} daemons stayed, all answer, ${processesLeft.length} processes left, ${chains.filter((ok) => !ok).length} breaks in the chain`,
  );
  expect([processesLeft, chains]).toEqual([[], worlds.map(() => true)]);
});

test('control: without a daemon, a hook whose starter is killed is left running and detected', async () => {
  const { env, project } = worlds[0]!;
  const child = spawn('/bin/sh', ['-c', 'sleep 300 & echo there; wait'], { cwd: project, env });
  await new Promise((resolve) => child.stdout.once('data', resolve));
  child.kill('SIGKILL');
  const found = await left(500);
  control('G5', 'through the daemon: a hook that no daemon watches', `${found.length} process left`);
  expect(found).toHaveLength(1);
  for (const pid of found) process.kill(pid, 'SIGKILL');
});
