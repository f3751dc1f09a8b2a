/** The command line of undo: each option, its exit codes, its JSON, and that only a user may put something back. */

import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { UndoGround } from './ground.ts';

/** Two turns: the first makes `a` and `b`, the second rewrites `a` and removes `b`. */
function twoTurns(atEnd?: (clean: () => void) => void): UndoGround {
  const ground = new UndoGround(true, atEnd);
  ground.sh(
    `call 'echo 1 > a; echo 1 > b' c1; printf '{"hook_event_name":"Stop","session_id":"s1","cwd":"%s"}' "$PROJECT" | anyhook fire --as codex
     call 'echo 2 > a' c2; call 'rm b' c3`,
  );
  return ground;
}
const A1 = { a: 'file 644 1\n', b: 'file 644 1\n' };
const A2 = { a: 'file 644 2\n' };

describe('what an option puts back', () => {
  test.each([
    ['the last turn without an option', '--yes', A1],
    ['the last turn with --turn', '--yes --turn', A1],
    ['a turn by its number', '--yes --turn 2', A1],
    ['a call by the id of the agent', '--yes --call c3', { ...A2, b: A1.b }],
    ['the last session', '--yes --session', {}],
    ['a session by its id', '--yes --session s1', {}],
    ['a turn of a session', '--yes --session s1 --turn 2', A1],
    ['all calls since a duration', '--yes --to 1h', {}],
    ['all calls since a time', '--yes --to 2020-01-01', {}],
    ['only named paths', '--yes b', { ...A2, b: A1.b }],
    ['nothing with --dry-run', '--dry-run', A2],
    ['nothing with --list', '--list', A2],
  ])('%s', (_, args, tree) => {
    const ground = twoTurns();
    expect(ground.tree()).toEqual(A2);
    const { code, output } = ground.sh(`undo ${args}`);
    expect([code, ground.tree()], output).toEqual([0, tree]);
  });

  test('a conflict is skipped, or restored by --conflicts restore', () => {
    const ground = twoTurns();
    writeFileSync(join(ground.project, 'a'), 'mine');
    expect(ground.sh('undo --yes').code).toBe(0);
    expect(ground.tree()).toEqual({ a: 'file 644 mine', b: A1.b });
    expect(ground.sh('undo --yes --conflicts restore').code).toBe(0);
    expect(ground.tree()).toEqual(A1);
  });

  test('the user is asked, and only yes puts back', () => {
    const ground = twoTurns();
    expect(ground.sh('printf "n\\n" | undo')).toMatchObject({
      code: 1,
      output: expect.stringContaining('Nothing was changed.') as string,
    });
    expect(ground.tree()).toEqual(A2);
    expect(ground.sh('printf "y\\n" | undo').code).toBe(0);
    expect(ground.tree()).toEqual(A1);
  });

  test('the command that an undo prints takes it back', () => {
    const ground = twoTurns();
    const { output } = ground.sh('undo --yes');
    const [, id] = /anyhook undo --call (\w+)/.exec(output)!;
    expect(ground.sh(`undo --yes --call ${id}`).code).toBe(0);
    expect(ground.tree()).toEqual(A2);
  });

  test('a second undo of the same turn has nothing to put back and exits with 1', () => {
    const ground = twoTurns();
    ground.sh('undo --yes');
    expect(ground.sh('undo --yes')).toMatchObject({
      code: 1,
      output: expect.stringContaining('Nothing to put back.') as string,
    });
  });

  test('--prune --all removes every snapshot', () => {
    const ground = twoTurns();
    expect(ground.sh('undo --prune').output).toContain('Removed 0 calls');
    expect(ground.sh('undo --prune --all').output).toContain('Removed 3 calls');
    const [store] = readdirSync(ground.stores);
    const objects = readdirSync(join(ground.stores, store!, 'objects'), {
      recursive: true,
      withFileTypes: true,
    });
    expect(objects.filter((entry) => entry.isFile())).toEqual([]);
  });
});

test('--json prints the calls, the plan and the result', () => {
  const ground = twoTurns();
  const json = (args: string) =>
    JSON.parse(ground.sh(`undo --json ${args}`).output) as Record<string, unknown>;
  const plan = [
    { path: 'a', kind: 'restore', action: 'rewrite' },
    { path: 'b', kind: 'restore', action: 'create' },
  ];
  expect(json('--list')['calls']).toMatchObject([
    { call: 'c3', turn: 2, what: 'rm b' },
    { call: 'c2' },
    { call: 'c1', turn: 1 },
  ]);
  expect(json('--dry-run')).toMatchObject({
    calls: [{ call: 'c2' }, { call: 'c3' }],
    items: plan,
    restored: false,
  });
  expect(json('--yes')).toMatchObject({
    items: plan,
    restored: 2,
    skipped: [],
    failures: [],
    undo: expect.any(String) as string,
  });
  expect(json('--prune --all')).toMatchObject({ projects: 1, records: 4 });
  expect(ground.tree()).toEqual(A1);
});

describe('wrong use', () => {
  let ground: UndoGround;
  beforeAll(() => void (ground = twoTurns(afterAll)));
  test.each([
    ['--call none', 'no call has the id "none"'],
    ['--session none', 'session "none" changed no files here'],
    ['--turn x', '--turn "x" is not a number'],
    ['--turn 1 --call c1', '--call, --turn and --to exclude each other'],
    ['--to yesterday-ish', '--to "yesterday-ish"'],
    ['--to 1ms', '"1ms" is not a duration'],
    ['--conflicts all', 'expected skip, merge, restore'],
    ['../outside', 'is not below the project'],
    ['--prune --list', '--prune goes only with --all and --json'],
    ['--prune --call c1', '--prune goes only with --all and --json'],
    ['--all --yes', '--all goes only with --prune'],
  ])('exits with 2, names the fault and changes nothing: undo %s', (args, message) => {
    const { code, output } = ground.sh(`undo --yes ${args}`);
    expect([code, output]).toEqual([2, expect.stringContaining(message) as string]);
    expect(ground.tree()).toEqual(A2);
  });
});

test('without a snapshot the error names the command that switches undo on', () => {
  const ground = new UndoGround(false);
  ground.sh(`call 'echo 1 > a' c1`);
  expect(ground.sh('undo --yes')).toMatchObject({
    code: 2,
    output: expect.stringContaining('anyhook add undo') as string,
  });
  expect(existsSync(ground.stores)).toBe(false);
});

describe('an agent', () => {
  let ground: UndoGround;
  beforeAll(() => void (ground = twoTurns(afterAll)));
  const direct = (args: string) => `script -qec 'anyhook_undo ${args}' /dev/null`;
  /** A program of the agent, in a terminal, with the mark of the agent on the way. */
  function asAgent(script: string) {
    writeFileSync(
      join(ground.root, 'anyhook_undo'),
      `#!/bin/sh\nexec '${process.execPath}' '${join(import.meta.dirname, '../../dist/bin/anyhook.cjs')}' undo --cwd "$PROJECT" "$@"\n`,
      { mode: 0o755 },
    );
    return ground.sh(script, {
      env: { CLAUDECODE: '1', PATH: `${ground.root}:${process.env['PATH']}` },
    });
  }

  test.each([
    ['with --yes', direct('--yes')],
    ['with --json', direct('--yes --json')],
    ['with --prune --all', direct('--prune --all')],
    ['with a value that looks like --list', direct('--yes --session s1 -- a')],
    ['through a script', `echo 'anyhook_undo --yes' > "$ROOT/x.sh"; script -qec "sh $ROOT/x.sh" /dev/null`],
    [
      'after it removed its mark',
      `script -qec 'env -u CLAUDECODE anyhook_undo --yes' /dev/null; true; exit 2`,
    ],
    ['without a terminal', 'anyhook_undo --yes'],
  ])('cannot put anything back or remove snapshots: %s', (_, script) => {
    const { code, output } = asAgent(script);
    expect([code, output]).toEqual([
      2,
      expect.stringContaining('run it yourself in an interactive terminal') as string,
    ]);
    expect(ground.tree()).toEqual(A2);
    expect(ground.sh('undo --list').output).toContain('rm b');
  });

  test('may list and look, and neither changes anything together with another option', () => {
    for (const args of [
      '--list',
      '--list --yes',
      '--list --call c3 --yes',
      '--dry-run --yes',
      '--dry-run --json',
    ])
      expect(asAgent(direct(args)).code, args).toBe(0);
    expect(ground.tree()).toEqual(A2);
  });

  test('control: a user undoes the same', () => {
    expect(ground.sh('undo --yes').code).toBe(0);
    expect(ground.tree()).toEqual(A1);
  });
});

test('each undo is announced in the session that it undid, if a guard is bound to it', () => {
  const ground = twoTurns();
  const settings = { daemon: 'off', undo: true, hooks: { 'tool.before': [{ name: 'guard', run: 'true' }] } };
  writeFileSync(join(ground.home, '.config/anyhook/hooks.json'), JSON.stringify(settings));
  expect(ground.sh(`fire PreToolUse 'ls' c4`).output).not.toContain('undo of');
  ground.sh('undo --yes');
  expect(ground.sh(`fire PreToolUse 'ls' c5`).output).toContain('undo of 2 calls');
});

const mayTrace = spawnSync('strace', ['-V'], { stdio: 'ignore' }).status === 0;
test.skipIf(!mayTrace)(
  'the fleet ships records and opens nothing below the folder of the snapshots (needs strace)',
  () => {
    const ground = twoTurns();
    const opened = join(ground.root, 'opened');
    const program = join(import.meta.dirname, '../../../fleet/dist/main.js');
    const ship = ['ship', '--once', '--otlp', 'http://127.0.0.1:9'];
    spawnSync('strace', ['-f', '-qq', '-e', 'trace=file', '-o', opened, process.execPath, program, ...ship], {
      env: { PATH: process.env['PATH'], HOME: ground.home },
      cwd: ground.project,
      stdio: 'ignore',
      timeout: 10_000,
      killSignal: 'SIGKILL',
    });
    const paths = readFileSync(opened, 'utf8');
    expect(paths).toContain(join(ground.home, '.local/state/anyhook/journal'));
    expect(paths).not.toContain(ground.stores);
  },
);
