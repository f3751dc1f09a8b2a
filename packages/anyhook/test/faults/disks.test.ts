/**
 * Full, closed and missing disks, missing homes and clock changes: verdicts stay correct and the problem is reported.
 */

import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { FaultGround } from './ground.ts';
import { result } from './results.ts';

const CLI = join(import.meta.dirname, '../../dist/bin/anyhook.cjs');
const GUARD = { name: 'guard', run: 'case "$(cat)" in *forbidden*) echo no >&2; exit 2;; esac' };
const opened: FaultGround[] = [];
afterAll(() => Promise.all(opened.map((ground) => ground.close())));
function ground(settings: object = {}, timeoutMs = 60_000): FaultGround {
  const guard = { ...GUARD, timeoutMs };
  const made = new FaultGround([guard]);
  opened.push(made);
  writeFileSync(
    join(made.home, '.config/anyhook/hooks.json'),
    JSON.stringify({ ...settings, hooks: { 'tool.before': [guard] } }),
  );
  return made;
}

interface Fired {
  readonly code: number | null;
  readonly stderr: string;
}
/** Fires through a shell, as an agent does. `before` is shell code, such as a mount. */
function fire(
  place: FaultGround,
  command: string,
  before = '',
  env: NodeJS.ProcessEnv = {},
  wrap: readonly string[] = [],
  cwd = place.project,
): Fired {
  const call = {
    hook_event_name: 'PreToolUse',
    session_id: 's',
    cwd,
    tool_name: 'Bash',
    tool_input: { command },
  };
  const line = `${before}\nexec '${process.execPath}' '${CLI}' fire --as codex`;
  const [program, ...args] = [...wrap, '/bin/sh', '-c', line];
  const { status, stderr } = spawnSync(program!, args, {
    cwd: place.project,
    input: JSON.stringify(call),
    env: { PATH: process.env['PATH'], HOME: place.home, LANG: 'C.UTF-8', TAG: place.tag, ...env },
    encoding: 'utf8',
  });
  return { code: status, stderr };
}
/** Checks that a guarded call is refused and another call is allowed. */
function both(place: FaultGround, before = '', env: NodeJS.ProcessEnv = {}, wrap: readonly string[] = []) {
  const [no, yes] = [fire(place, 'forbidden', before, env, wrap), fire(place, 'ls', before, env, wrap)];
  return { codes: [no.code, yes.code], said: `${no.stderr}${yes.stderr}` };
}

const mayMount = ((): boolean => {
  const tried = spawnSync('unshare', ['--mount', '/bin/sh', '-c', 'mount -t tmpfs none /mnt'], {
    stdio: 'ignore',
  });
  return tried.status === 0;
})();
const UNSHARED = ['unshare', '--mount'];
const RIGHT = [2, 0];
let held = 0;
afterAll(() =>
  result('G2', 'disks, homes and clocks that fail', `${held} kinds held: verdicts right, and said`),
);

test('control: on a healthy disk the same calls get the same verdicts, and only the refusal is printed', () => {
  const { codes, said } = both(ground());
  expect([codes, said.trim().split('\n').length]).toEqual([RIGHT, 1]);
});

describe.skipIf(!mayMount)('a full, read-only or failing disk (needs mount privileges)', () => {
  const state = (place: FaultGround) => join(place.home, '.local/state');
  test.each([
    [
      'that is full',
      (at: string) =>
        `mount -t tmpfs -o size=4k none '${at}'; dd if=/dev/zero of='${at}/full' bs=4k 2>/dev/null;`,
    ],
    ['that is read-only', (at: string) => `mount -t tmpfs -o ro none '${at}';`],
  ])('%s: verdicts are correct, the problem is reported, and a required journal refuses', (_, mount) => {
    const place = ground();
    mkdirSync(state(place), { recursive: true });
    const open = both(place, mount(state(place)), {}, UNSHARED);
    expect([open.codes, /journal|ENOSPC|EROFS|read-only|no space/i.test(open.said)]).toEqual([RIGHT, true]);
    const strict = ground({ journal: { required: true } });
    mkdirSync(state(strict), { recursive: true });
    const closed = both(strict, mount(state(strict)), {}, UNSHARED);
    expect([closed.codes, closed.said]).toEqual([[2, 2], expect.stringContaining('a record is required')]);
    held++;
  });
});

test('a read-only state folder does not change verdicts', () => {
  const place = ground();
  const state = join(place.home, '.local');
  mkdirSync(state, { recursive: true });
  // Root ignores permissions, so a file in place of the folder is tried too.
  writeFileSync(join(state, 'state'), '');
  chmodSync(state, 0o500);
  const { codes, said } = both(place);
  chmodSync(state, 0o700);
  expect([codes, /cannot write the journal/.test(said)]).toEqual([RIGHT, true]);
  held++;
});

const NOBODY = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'];
const mayBeNobody =
  spawnSync(NOBODY[0]!, [...NOBODY.slice(1), process.execPath, CLI, '--version']).status === 0;
test.skipIf(!mayBeNobody)('a state folder of another user does not change verdicts (needs root)', () => {
  const place = ground();
  mkdirSync(join(place.home, '.local/state'), { recursive: true });
  for (const folder of [place.root, place.home, place.project]) chmodSync(folder, 0o755);
  const { codes, said } = both(place, '', {}, NOBODY);
  expect([codes, said]).toEqual([RIGHT, expect.stringMatching(/cannot write the journal.*EACCES/s)]);
  held++;
});

test('without free file handles every call is refused with a reason at the deadline of the guard', () => {
  const { codes, said } = both(ground({}, 2_000), 'ulimit -n 24;');
  expect([codes, said]).toEqual([[2, 2], expect.stringContaining('EMFILE')]);
  held++;
});

const REFUSAL = 'no\n';
test('the guard runs although the working folder of the program and the event was deleted', () => {
  const place = ground();
  const gone = join(place.root, 'gone');
  const program = both(place, `mkdir -p '${gone}'; cd '${gone}'; rmdir '${gone}';`);
  const event = fire(place, 'forbidden', '', {}, [], gone);
  expect([program, event, existsSync(gone)]).toEqual([
    { codes: RIGHT, said: REFUSAL },
    { code: 2, stderr: REFUSAL },
    false,
  ]);
  held++;
});

test('a missing HOME is reported every time and not created, because an empty home would have no hooks', () => {
  const place = ground();
  const nowhere = join(place.root, 'nowhere');
  const said = [1, 2].map(() => fire(place, 'forbidden', '', { HOME: nowhere }));
  const aloud = {
    code: 0,
    stderr: expect.stringContaining(
      `${nowhere}: HOME: is set as your home folder but does not exist, so your own hooks cannot be read.`,
    ) as string,
  };
  expect([said, existsSync(nowhere)]).toEqual([[aloud, aloud], false]);
  held++;
});

test('without HOME the home comes from the user database', () => {
  const place = ground();
  expect(fire(place, 'ls', 'unset HOME;').code).toBe(0);
  held++;
});

test('a missing TMPDIR has no effect', () => {
  const place = ground();
  expect(both(place, '', { TMPDIR: join(place.root, 'no-tmp') })).toEqual({ codes: RIGHT, said: REFUSAL });
  held++;
});

test('a wrong clock affects neither deadlines nor the journal chain', () => {
  const faketime = ((): boolean => spawnSync('faketime', ['--version'], { stdio: 'ignore' }).status === 0)();
  const place = ground();
  // A preload moves the clock of `Date` back and forth. Deadlines must not depend on it.
  const jump = join(place.root, 'jump.cjs');
  writeFileSync(jump, 'let n = 0; const now = Date.now; Date.now = () => now() + (n++ % 2 ? 3e11 : -3e11);');
  const wrap = faketime ? ['faketime', '-5y'] : [];
  const { codes } = both(place, '', { NODE_OPTIONS: `--require=${jump}` }, wrap);
  const verified = execFileSync(process.execPath, [CLI, 'verify', '--json'], {
    env: { PATH: process.env['PATH'], HOME: place.home },
    encoding: 'utf8',
  });
  expect([codes, (JSON.parse(verified) as { ok: boolean }).ok]).toEqual([RIGHT, true]);
  held++;
});

test('verify reports truncated records, also by its exit code', () => {
  const place = ground();
  both(place);
  const verify = () =>
    spawnSync(process.execPath, [CLI, 'verify'], {
      env: { PATH: process.env['PATH'], HOME: place.home },
      encoding: 'utf8',
    });
  const sound = verify();
  expect([sound.status, sound.stdout]).toEqual([0, 'As it was written: sessions 1, records 2.\n']);
  rmSync(place.journal('s').file);
  const cut = verify();
  expect([cut.status, cut.stdout]).toEqual([1, expect.stringContaining('none of these records is here')]);
});
