/**
 * What `/proc` is used for on Linux: to find processes of a hook, to see whether a process lives, to measure memory. Without it,
 * deadlines still end a whole process group, programs that wait are still used, and modules keep running.
 */

import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openCommandRunner } from '../../src/runners/command/index.ts';
import { residentBytes } from '../../src/runners/resident-bytes.mjs';
import { CLI, CLIENTS, DaemonWorld, type Ended } from '../daemon/world.ts';

const world = new DaemonWorld();
const file = (name: string): string => join(world.root, name);
const HOOKS = {
  hooks: {
    'tool.before': [
      { name: 'command', match: 'shell(command)', run: 'echo no by command >&2; exit 2' },
      {
        name: 'late',
        match: 'shell(late)',
        run: `echo $$ >> ${file('pids')}; sleep 300 & echo $! >> ${file('pids')}; sleep 300`,
        timeoutMs: 500,
      },
      {
        name: 'nested',
        match: 'shell(nested)',
        run: `echo x >> ${file('levels')}; ${process.execPath} ${CLI} bridge codex < ${file('nested.json')}`,
        timeoutMs: 60_000,
      },
    ],
  },
};
const MODULE = `import { defineHook, deny } from 'anyhook';
export default defineHook({ on: 'tool.before', match: 'shell(module)', run: () => deny('no by module') });
`;
/** Its process checks its memory twice a second. */
const PLUGIN = `export const Slow = async () => ({
  'tool.execute.before': async (_, { args }) => {
    if (args.command !== 'plugin') return;
    await new Promise((resolve) => setTimeout(resolve, 1500));
    throw new Error('no by plugin');
  },
});
`;

beforeAll(() => {
  world.put('home/.config/anyhook/hooks.json', HOOKS);
  world.put('home/.config/anyhook/hooks/mine.ts', MODULE);
  world.put('home/.config/opencode/plugin/slow.js', PLUGIN);
  writeFileSync(file('nested.json'), JSON.stringify(world.bash('nested')));
});
afterAll(() => world.close(), 30_000);

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
/** Of all processes that the hook named; a killed one may wait to be collected. */
async function stillThere(): Promise<number[]> {
  const pids = world.lines('pids').map(Number);
  for (let i = 0; pids.some(isThere) && i < 100; i++) await pause(50);
  return pids.filter(isThere);
}

test('/proc is hidden', () => expect(existsSync('/proc/self')).toBe(false));

test('a process tells its memory', () => {
  expect(residentBytes()).toBeGreaterThan(10_000_000);
  expect(residentBytes()).toBeLessThan(4_000_000_000);
});

let sessions = 0;
beforeEach(() => void (world.session = `session-${++sessions}`));

describe.each(CLIENTS)('with the %s client', (kind) => {
  beforeAll(() => world.install('codex', kind));

  /** By the daemon, and by nobody else. */
  async function byDaemon(command: string): Promise<Ended> {
    await world.line(world.bash('ls')); // starts it
    const events = await world.answered();
    const answer = await world.line(world.bash(command));
    expect([command, await world.answered()]).toEqual([command, events + 1]);
    return answer;
  }

  test.each(['command', 'module', 'plugin'])(
    'a %s refuses, through the daemon and directly',
    async (command) => {
      const answer = await byDaemon(command);
      expect(answer).toMatchObject({ code: 2, stderr: expect.stringContaining(`no by ${command}`) });
      expect(answer).toEqual(await world.direct(world.bash(command)));
    },
  );

  test('a hook that is late is a refusal, and its whole process group is killed', async () => {
    for (const answered of [byDaemon('late'), world.direct(world.bash('late'))]) {
      const { code, stderr } = await answered;
      expect([code, stderr]).toEqual([2, expect.stringContaining('500 ms')]);
    }
    expect(world.lines('pids').length).toBeGreaterThanOrEqual(4);
    expect(await stillThere()).toEqual([]);
  });
});

test('a hook that fires the same event is stopped after three levels', async () => {
  await world.line(world.bash('nested'));
  expect(world.lines('levels')).toHaveLength(3);
});

describe('the command runner', () => {
  const runner = openCommandRunner({ graceMs: 2000 });
  afterAll(() => runner.close());
  const run = (line: string, more: { readonly warm?: 'prespawn' } = {}, timeoutMs = 10_000) =>
    runner.run(
      { kind: 'command', run: { line }, env: 'inherit', ...more },
      { kind: 'command', cwd: world.root, stdin: 'event' },
      { timeoutMs, signal: new AbortController().signal },
    );

  test('lets a late hook clean up when it is asked to end', async () => {
    mkdirSync(file('held'));
    const cleans = `trap 'sleep 0.3; rmdir ${file('held')}; exit 1' TERM; echo ready; while :; do sleep 0.05; done`;
    expect(await run(cleans, {}, 500)).toMatchObject({ kind: 'broken', why: { kind: 'timed-out' } });
    expect(existsSync(file('held'))).toBe(false);
  });

  test('hands an event to the program that waits for it', async () => {
    const line = `echo $$ >> ${file('waiting')}; cat; echo " by $$"`;
    await run(line, { warm: 'prespawn' });
    for (let i = 0; world.lines('waiting').length < 2 && i < 200; i++) await pause(25);
    const [, second] = world.lines('waiting');
    expect(await run(line, { warm: 'prespawn' })).toMatchObject({ stdout: `event by ${second}\n` });
  });
});
