/** Reliability G12 at the command line: nothing of an untrusted project runs, is imported or is contacted. */

import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HOSTILE } from './hostile.ts';
import { inTurns, treeOf, World } from './world.ts';

const hits: string[] = [];
const server = createServer((request, response) => {
  hits.push(request.url ?? '');
  response.end('{}');
});
let port = '';
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = String((server.address() as AddressInfo).port);
});
afterAll(() => void server.close());

function hostile(files: Readonly<Record<string, string>>): World {
  const world = new World();
  for (const [path, text] of Object.entries(files)) world.put(path, text.replaceAll('PORT', port));
  return world;
}
const session = (world: World) =>
  JSON.stringify({ hook_event_name: 'SessionStart', session_id: 's', cwd: world.project, source: 'startup' });
const call = (world: World) =>
  JSON.stringify({
    hook_event_name: 'PreToolUse',
    session_id: 's',
    cwd: world.project,
    tool_name: 'Bash',
    tool_input: { command: 'ls' },
  });
/** Everything that reads a project: the two most common events of an agent, and commands of a user. */
const LOOKS: readonly (readonly [readonly string[], (world: World) => string])[] = [
  [['fire', '--as', 'claude-code'], call],
  [['fire', '--as', 'claude-code'], session],
  [['why', 'tool.before', '--tool', 'shell', '--run'], () => ''],
  [['trust', 'list'], () => ''],
];

/** Stops only at the traced system calls, which is ten times as fast. */
const STRACE = ['strace', '-f', '-qq', '--seccomp-bpf', '-e', 'trace=execve,connect', '-o'];
/** Whether this system allows tracing processes and connections. */
const sees = spawnSync(STRACE[0]!, [...STRACE.slice(1), '/dev/null', 'true']).status === 0;
const through = (log: string) => (sees ? [...STRACE, log] : []);

/** Started programs and connections, except our own process. */
function traced(file: string): string[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  const [first = '', ...more] = lines.filter((line) => line.includes('execve(') && line.includes('= 0'));
  const reached = lines.filter((line) => line.includes('connect(') && !line.includes('AF_UNIX'));
  return [...(first.includes('node') ? [] : [first]), ...more, ...reached];
}

describe('an untrusted project', () => {
  const names = Object.keys(HOSTILE);
  expect(names.length).toBeGreaterThanOrEqual(30);

  test(
    `none of ${names.length} hostile projects runs anything before it is trusted`,
    { timeout: 240_000 },
    async ({ annotate }) => {
      if (!sees) await annotate('no strace here: what is started and connected to is told by marks alone');
      const seen = await inTurns(names, 3, async (what) => {
        const world = hostile(HOSTILE[what]!);
        const before = treeOf(world.project);
        const crashes: unknown[] = [];
        const acts: string[] = [];
        for (const [at, [args, input]] of LOOKS.entries()) {
          const log = join(world.home, `trace-${at}`);
          const { status, stderr } = await world.run(args, input(world), through(log));
          if (status === 70 || status === null) crashes.push([args, stderr]);
          if (sees) acts.push(...traced(log));
        }
        return { what, crashes, acts, marks: world.marks, changed: !same(before, treeOf(world.project)) };
      });
      const quiet = names.map((what) => ({ what, crashes: [], acts: [], marks: '', changed: false }));
      expect([seen, hits]).toEqual([quiet, []]);
    },
  );

  test('an untrusted project adds nothing to the environment of user hooks', async () => {
    for (const what of ['a Claude environment', 'our own environment', 'cases, for whoever only looks']) {
      const world = hostile(HOSTILE[what]!);
      const run = 'env > "$HOME/seen"';
      world.put(
        '.config/anyhook/hooks.json',
        JSON.stringify({ hooks: { 'tool.before': [{ run }] } }),
        world.home,
      );
      await world.run(['fire', '--as', 'claude-code'], call(world));
      const seen = readFileSync(join(world.home, 'seen'), 'utf8');
      expect([what, /NODE_OPTIONS|BASH_ENV|evil|^PATH=\.$/m.test(seen), world.marks]).toEqual([
        what,
        false,
        '',
      ]);
      expect(seen).toContain('HOME='); // It did run.
    }
  }, 60_000);

  test('control: a hostile project runs its code once it is trusted, so trust is what prevents it', async () => {
    const acts: unknown[] = [];
    for (const what of ['a Claude command', 'our own module']) {
      const world = hostile(HOSTILE[what]!);
      await world.trustAll();
      const log = join(world.home, 'trace');
      await world.run(['fire', '--as', 'claude-code'], call(world), through(log));
      acts.push([what, /pwned|imported/.test(world.marks), !sees || traced(log).length > 0]);
    }
    expect(acts).toEqual([
      ['a Claude command', true, true],
      ['our own module', true, true],
    ]);
    expect(hits.length).toBeGreaterThan(0);
  }, 60_000);
});

const same = (a: object, b: object): boolean => JSON.stringify(a) === JSON.stringify(b);
