/** G6: hooks that will not end are ended when their time is up, on an idle machine and on a loaded one. */
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { afterAll, expect, test } from 'vitest';
import { NEVER } from '../../src/canon/signal.ts';
import { openCommandRunner } from '../../src/runners/command/index.ts';
import { FaultGround } from './ground.ts';
import { counted, percentile, result } from './results.ts';

const HOOKS = counted(500, 24);
const AT_ONCE = 16;
const [TIMEOUT_MS, GRACE_MS] = [400, 200];
/** Beyond deadline and grace; a machine that others use as well is given more before it is called a fault. */
const PROMISED_MS = 250;
const SURELY_MS = 5_000;

const HOSTILE = [
  'exec sleep 300',
  "trap '' TERM; while :; do sleep 0.1; done",
  'kill -STOP $$',
  'sleep 300 & exec sleep 300',
  'exec 0<&-; exec sleep 300',
  '( ( sleep 300 & ) & ); sleep 300',
  'setsid sleep 300',
  "trap '' TERM HUP INT QUIT; (trap '' TERM; sleep 300) & wait; sleep 300",
];
const place = new FaultGround([]);
afterAll(() => place.close());

/** How late each came back after its deadline and grace. */
async function overshoots(hooks: number): Promise<number[]> {
  const runner = openCommandRunner({ graceMs: GRACE_MS, env: { ...process.env, TAG: place.tag } });
  const late: number[] = [];
  let next = 0;
  const worker = async () => {
    for (let at = next++; at < hooks; at = next++) {
      const started = performance.now();
      const reply = await runner.run(
        { kind: 'command', run: { line: HOSTILE[at % HOSTILE.length]! }, env: 'inherit' },
        { kind: 'command', cwd: '/', stdin: 'x'.repeat(at % 5 === 0 ? 10_000_000 : 10) },
        { timeoutMs: TIMEOUT_MS, signal: NEVER },
      );
      late.push(performance.now() - started - TIMEOUT_MS - GRACE_MS);
      expect(reply.kind === 'broken' && reply.why.kind).toBe('timed-out');
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  await runner.close();
  return late;
}
const shown = (late: readonly number[]): string =>
  `p50 ${Math.round(percentile(late, 0.5))} ms, p99 ${Math.round(percentile(late, 0.99))} ms after deadline and grace (promised: ${PROMISED_MS})`;

test(`${HOOKS} hooks that will not end`, async () => {
  const late = await overshoots(HOOKS);
  const left = await place.left();
  result('G6', `${HOOKS} hostile hooks, 16 at once`, `${shown(late)}, ${left.length} processes left`);
  expect(left).toEqual([]);
  expect(percentile(late, 0.99)).toBeLessThan(SURELY_MS);
});

test('the same while every core is busy', async () => {
  const busy = Array.from({ length: availableParallelism() * 2 }, () =>
    spawn('/bin/sh', ['-c', 'while :; do :; done']),
  );
  try {
    const late = await overshoots(Math.ceil(HOOKS / 4));
    result(
      'G6',
      'the same under load (two busy loops per core)',
      `${shown(late)}, ${(await place.left()).length} processes left`,
    );
    expect(percentile(late, 0.99)).toBeLessThan(SURELY_MS * 2);
  } finally {
    for (const one of busy) one.kill('SIGKILL');
  }
});

test('control: to end the program alone leaves the others, which is seen', async () => {
  const child = place.start(['/bin/sh', '-c', HOSTILE[3]!]);
  await new Promise((resolve) => setTimeout(resolve, 300));
  child.kill('SIGKILL');
  expect(await place.left(500)).toHaveLength(1);
});
