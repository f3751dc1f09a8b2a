import { readFileSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { BrokenReply, ExitReply } from '../../events/exchange.ts';
import { type CommandRunner, openCommandRunner } from './index.ts';
import { processes } from './processes.mjs';

let runner: CommandRunner;
beforeEach(() => {
  runner = openCommandRunner({ graceMs: 100 });
});
afterEach(() => runner.close());

const { signal } = new AbortController();
const run = (line: string, timeoutMs = 20_000) =>
  runner.run(
    { kind: 'command', run: { line }, env: 'inherit' },
    { kind: 'command', cwd: realpathSync(tmpdir()) },
    { timeoutMs, signal },
  );
const said = async (line: string) => ((await run(line)) as ExitReply).stdout.trim();
const alive = (pid: number) => processes().some((seen) => seen.pid === pid);

test('the host forks once: all hooks are children of one helper, which is not the host', async () => {
  const parents = await Promise.all([1, 2, 3].map(() => said('echo $PPID')));
  expect(new Set(parents).size).toBe(1);
  expect(parents[0]).not.toBe(String(process.pid));
});

test('if the helper dies, its runs fail, its hooks are killed, and the next run gets a new helper', async () => {
  const first = await said('echo $PPID');
  const other = run('echo $$; setsid sleep 60 & sleep 60');
  await new Promise((resolve) => setTimeout(resolve, 300));
  const before = processes().filter(({ parent }) => parent === Number(first));
  const replies = await Promise.all([run('kill -9 $PPID; sleep 60'), other]);
  for (const reply of replies)
    expect(reply).toEqual({
      kind: 'broken',
      why: { kind: 'killed', detail: 'the helper process died (SIGKILL)' },
    });
  expect(before.length).toBeGreaterThan(0);
  expect(before.filter(({ pid }) => alive(pid))).toEqual([]);
  const second = await said('echo $PPID');
  expect(second).not.toBe(first);
});

test('a helper that was stopped by a hook does not block the host', async () => {
  const helper = Number(await said('echo $PPID'));
  const { why } = (await run('kill -STOP $PPID; sleep 60', 300)) as BrokenReply;
  expect(why).toEqual({ kind: 'timed-out', detail: 'after 300 ms; the helper process did not reply' });
  expect(await said('echo well')).toBe('well');
  expect(alive(helper)).toBe(false);
});

test('a flood from many hooks does not fill the memory', async () => {
  const helper = await said('echo $PPID');
  const peak = () =>
    Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${helper}/status`, 'utf8'))?.[1]) / 1024;
  const before = peak();
  const floods = Array.from({ length: 20 }, () => run('head -c 100000000 /dev/zero'));
  const drained = Array.from({ length: 12 }, () => run('head -c 12000000 /dev/zero'));
  const replies = (await Promise.all([...floods, ...drained])) as (BrokenReply | ExitReply)[];
  expect(replies.map((reply) => (reply.kind === 'broken' ? reply.why.kind : reply.code))).toEqual([
    ...floods.map(() => 'unreadable'),
    ...drained.map(() => 0),
  ]);
  expect(replies.every((reply) => reply.stdout?.length === 1_048_576)).toBe(true);
  // 32 replies of 1 MiB are kept; all the output would be about 460 MB.
  expect(peak() - before).toBeLessThan(200);
});
