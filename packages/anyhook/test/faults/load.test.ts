/** G4: ten thousand calls, a thousand at once, also with few file handles. G7: hooks that flood their output. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { NEVER } from '../../src/events/signal.ts';
import { openCommandRunner } from '../../src/runners/command/index.ts';
import { endOf, FaultGround } from './ground.ts';
import { control, counted, grouped, result } from './results.ts';

const GUARD = {
  name: 'guard',
  run: 'case "$(cat)" in *forbidden*) echo no >&2; exit 2;; esac',
  timeoutMs: 300_000,
};
const FIRES = counted(10_000, 1_000);
const FEW = 'ulimit -n 64;';
const opened: FaultGround[] = [];
afterAll(() => Promise.all(opened.map((ground) => ground.close())));
function ground(): FaultGround {
  const made = new FaultGround([GUARD]);
  opened.push(made);
  return made;
}

async function fired(fires: number, limit: string) {
  const place = ground();
  const { code, stdout, stderr } = await endOf(place.host(fires, 1_000, limit));
  const lines = stdout.trim().split('\n');
  const { ok, records } = place.journal();
  const calls = place.calls();
  return {
    code,
    stderr,
    verdicts: JSON.parse(lines.at(-1)!) as Record<string, number>,
    acknowledged: lines.length - 1,
    records,
    doubled: calls.length - new Set(calls).size,
    isSound: ok,
  };
}
const whole = (fires: number) => ({
  code: 0,
  stderr: '',
  verdicts: { 'forbidden: deny': Math.floor(fires / 10), 'ls: none': fires - Math.floor(fires / 10) },
  acknowledged: fires,
  records: fires,
  doubled: 0,
  isSound: true,
});

test.each([
  ['', 'no limit of file handles but the usual'],
  ['ulimit -n 256;', 'ulimit -n 256'],
])(`${grouped(FIRES)} calls, 1,000 at once, are all answered: %s`, async (limit, what) => {
  const came = await fired(FIRES, limit);
  result(
    'G4',
    `${grouped(FIRES)} calls, 1,000 at once, ${what}`,
    `${grouped(came.acknowledged)} answered, ${FIRES - came.records} records lost, ${came.doubled} doubled, chain ${came.isSound ? 'sound' : 'broken'}`,
  );
  expect(came).toEqual(whole(FIRES));
});

test('with 64 file handles a one-event program and the library answer every call', async () => {
  const place = ground();
  const cli = join(import.meta.dirname, '../../dist/bin/anyhook.cjs');
  const fire = (command: string) => {
    const call = {
      hook_event_name: 'PreToolUse',
      session_id: 's',
      cwd: place.project,
      tool_name: 'Bash',
      tool_input: { command },
    };
    const line = `printf '%s' '${JSON.stringify(call)}' | "$0" "$@"`;
    return endOf(place.start(['/bin/sh', '-c', line, process.execPath, cli, 'fire', '--as', 'codex'], FEW));
  };
  expect([(await fire('forbidden')).code, (await fire('ls')).code]).toEqual([2, 0]);
  const came = await fired(FIRES, FEW);
  result(
    'G4',
    `${grouped(FIRES)} calls, 1,000 at once, ulimit -n 64`,
    `${grouped(came.acknowledged)} answered, ${FIRES - came.records} records lost, ${came.doubled} doubled, chain ${came.isSound ? 'sound' : 'broken'}`,
  );
  expect(came).toEqual(whole(FIRES));
});

test('control: a program that loads a hundred modules at once fails with 64 file handles', async () => {
  const place = ground();
  const names = Array.from({ length: 100 }, (_, at) => `m${at}.mjs`);
  for (const name of names) writeFileSync(join(place.root, name), '');
  const program = join(place.root, 'program.mjs');
  writeFileSync(program, names.map((name) => `import './${name}';`).join('\n'));
  const { code, stderr } = await endOf(place.start([process.execPath, program], FEW));
  const [why = ''] = /EMFILE: too many open files/.exec(stderr) ?? [];
  control('G4', 'a hundred modules loaded at once with ulimit -n 64', `exit ${code}, ${why}`);
  expect([code, why]).toEqual([1, 'EMFILE: too many open files']);
});

test('control: a killed host has answered and recorded fewer calls', async () => {
  const place = ground();
  const child = place.host(0, 10);
  const end = endOf(child);
  await new Promise((resolve) => child.stdout!.once('data', resolve));
  child.kill('SIGKILL');
  const acknowledged = (await end).stdout.trim().split('\n').length;
  control('G4', 'a host that is killed', `${acknowledged} of 1,000 acknowledged`);
  expect(acknowledged).toBeLessThan(1_000);
});

const FLOODS = 20;
const FLOOD_BYTES = 100 * 2 ** 20;
const MOST_GROWTH = 64 * 2 ** 20;

/** Memory growth of this process while this many hooks print this many bytes each. */
async function growthBy(hooks: number, bytes: number, caps: { readonly stdout?: number }) {
  const runner = openCommandRunner({ graceMs: 0, caps });
  const line = `head -c ${bytes} /dev/zero | tr '\\0' x`;
  const before = process.memoryUsage().rss;
  let most = before;
  const look = () => (most = Math.max(most, process.memoryUsage().rss));
  const watch = setInterval(look, 5);
  const replies = await Promise.all(
    Array.from({ length: hooks }, () =>
      runner.run(
        { kind: 'command', run: { line }, env: 'inherit' },
        { kind: 'command', cwd: '/' },
        { timeoutMs: 300_000, signal: NEVER },
      ),
    ),
  );
  look();
  clearInterval(watch);
  await runner.close();
  return { growth: most - before, broken: replies.filter((reply) => reply.kind === 'broken').length };
}

test(`${FLOODS} hooks that print 100 MB each at once use bounded memory`, async () => {
  const { growth, broken } = await growthBy(FLOODS, FLOOD_BYTES, {});
  const megabytes = Math.max(0, Math.round(growth / 2 ** 20));
  result(
    'G7',
    `${FLOODS} hooks × 100 MB at once`,
    `${megabytes} MB more memory, ${broken} of ${FLOODS} named as failures`,
  );
  expect(broken).toBe(FLOODS);
  expect(growth).toBeLessThan(MOST_GROWTH);
});

test('control: without the output limit memory use is higher', async () => {
  const { growth } = await growthBy(3, FLOOD_BYTES, { stdout: 2 * FLOOD_BYTES });
  control('G7', '3 hooks × 100 MB without a cap', `${Math.round(growth / 2 ** 20)} MB more memory`);
  expect(growth).toBeGreaterThan(MOST_GROWTH);
});
