/**
 * G5: kills the host and the helper with SIGKILL at random moments. Acknowledged records are in the journal, and no
 * process is left.
 */

import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { NEVER } from '../../src/events/signal.ts';
import { openCommandRunner } from '../../src/runners/command/index.ts';
import { processes } from '../../src/runners/command/processes.mjs';
import { endOf, FaultGround } from './ground.ts';
import { dice } from './random.ts';
import { control, counted, grouped, result, SEED } from './results.ts';

const KILLS = counted(200, 4);
const AT_ONCE = 4;
/** Leaves child processes behind, one of them in its own session. */
const LEAVES = {
  name: 'leaves',
  run: 'sleep 300 & setsid sleep 300 & sleep 0.05; exit 0',
  timeoutMs: 60_000,
};
const place = new FaultGround([LEAVES]);
afterAll(() => place.close());

test(`after ${KILLS} × kill -9 of the host acknowledged records are kept and no process is left`, async () => {
  const { below } = dice(SEED);
  const acknowledged: string[] = [];
  let round = 0;
  const worker = async () => {
    while (round++ < KILLS) {
      const child = place.host(0, 4);
      const end = endOf(child);
      await new Promise((resolve) => child.stdout!.once('data', resolve));
      await pause(below(120));
      child.kill('SIGKILL');
      const { stdout } = await end;
      acknowledged.push(...stdout.split('\n').slice(0, -1));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  const left = await place.left();
  const recorded = new Map<string, number>();
  for (const call of place.calls()) recorded.set(call, (recorded.get(call) ?? 0) + 1);
  const said = new Map<string, number>();
  for (const ack of acknowledged) said.set(`c${ack.slice(4)}`, (said.get(`c${ack.slice(4)}`) ?? 0) + 1);
  const lost = [...said].filter(([call, times]) => (recorded.get(call) ?? 0) < times);
  const { problems } = place.journal();
  result(
    'G5',
    `${KILLS} × kill -9 of the host, seed ${SEED}`,
    `${lost.length} of ${grouped(acknowledged.length)} acknowledged records lost, ${left.length} processes left, ${problems.length} breaks in the chain`,
  );
  expect([lost, left, problems]).toEqual([[], [], []]);
  expect(acknowledged.length).toBeGreaterThan(KILLS / 2);
});

const helpersOf = (pid: number): number[] =>
  processes().flatMap((one) => {
    if (one.parent !== pid) return [];
    try {
      return readFileSync(`/proc/${one.pid}/cmdline`, 'utf8').includes('helper.mjs') ? [one.pid] : [];
    } catch {
      return [];
    }
  });

test(`after ${KILLS} × kill -9 of the helper the host answers, and no process is left, even an idle one`, async () => {
  const { below } = dice(SEED + 1);
  const runner = openCommandRunner({ graceMs: 0, env: { ...process.env, TAG: place.tag } });
  const run = (line: string, background: boolean) =>
    runner.run(
      { kind: 'command', run: { line }, env: 'inherit' },
      { kind: 'command', cwd: '/' },
      { timeoutMs: 60_000, signal: NEVER },
      { background },
    );
  let [answered, named] = [0, 0];
  for (let round = 0; round < KILLS; round++) {
    await run('true', false); // The helper is running now.
    const isIdle = round % 2 === 0;
    const replies = Promise.all([run('sleep 300 & sleep 300', isIdle), run('setsid sleep 300', isIdle)]);
    await pause(below(60));
    for (const pid of helpersOf(process.pid)) process.kill(pid, 'SIGKILL');
    const came = await replies;
    answered += came.length;
    named += came.filter((reply) => reply.kind === 'broken' && reply.why.kind === 'killed').length;
  }
  const left = await place.left();
  await runner.close();
  result(
    'G5',
    `${KILLS} × kill -9 of the helper, seed ${SEED + 1}`,
    `${named} of ${answered} runs answered by name, ${left.length} processes left`,
  );
  expect([named, left]).toEqual([answered, []]);
});

test('control: a hook without a helper is left running, and the test detects it', async () => {
  const child = place.start(['/bin/sh', '-c', 'sleep 300 & echo there; wait']);
  await new Promise((resolve) => child.stdout!.once('data', resolve));
  child.kill('SIGKILL');
  const left = await place.left(500);
  control('G5', 'a hook that nobody watches, its starter killed', `${left.length} process left`);
  expect(left).toHaveLength(1);
  for (const pid of place.tagged()) process.kill(pid, 'SIGKILL');
});
