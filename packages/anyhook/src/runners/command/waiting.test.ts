/** `prespawn`: a process waits on stdin for the next event, with the same guarantees as any other. */

import { mkdtempSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import type { Reply } from '../../events/exchange.ts';
import { removeTree } from '../../settings/remove-tree.ts';
import { type CommandRunner, openCommandRunner } from './index.ts';
import { isAlive } from './processes.mjs';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'waiting-')));
afterAll(() => removeTree(folder));
let runner: CommandRunner;
beforeEach(() => void (runner = openCommandRunner({ graceMs: 100 })));
afterEach(() => runner.close());

const { signal } = new AbortController();
interface RunOptions {
  readonly stdin?: string;
  readonly timeoutMs?: number;
  readonly env?: Readonly<Record<string, string>>;
}
const run = (line: string, { stdin = 'an event\n', timeoutMs = 30_000, env = {} }: RunOptions = {}) =>
  runner.run(
    { kind: 'command', run: { line }, env: 'inherit', warm: 'prespawn' },
    { kind: 'command', cwd: folder, stdin, env },
    { timeoutMs, signal },
  );
const textOf = (reply: Reply): string => ('stdout' in reply ? (reply.stdout ?? '') : '');
const started = (log: string): string[] => {
  try {
    return readFileSync(join(folder, log), 'utf8').trim().split('\n');
  } catch {
    return [];
  }
};
/** Waits until this many processes of it have started; the last one is waiting. */
async function until(log: string, count: number): Promise<number> {
  for (let i = 0; started(log).length < count && i < 1000; i++) await pause(20);
  expect(started(log).length).toBe(count);
  return Number(started(log).at(-1));
}
/** Logs its start, waits for its event, and echoes it. */
const telling = (log: string): string => `echo $$ >> ${log}; cat; echo by $$`;

test('each event gets its own process, which was started before it', async () => {
  expect(await run(telling('a'))).toMatchObject({ kind: 'exited', code: 0 });
  const second = await until('a', 2);
  expect(textOf(await run(telling('a'), { stdin: 'the second\n' }))).toBe(`the second\nby ${second}\n`);
  const third = await until('a', 3);
  expect(textOf(await run(telling('a')))).toBe(`an event\nby ${third}\n`);
});

test('the deadline of a waiting process starts with the event and kills its whole tree', async () => {
  const line = `echo $$ >> b; read -r word; [ "$word" = quick ] && exit 0; sleep 60 & sleep 60`;
  await run(line, { stdin: 'quick\n' });
  const waiting = await until('b', 2);
  await pause(300); // longer than its timeout
  const { kind, why } = (await run(line, { stdin: 'slow\n', timeoutMs: 250 })) as Extract<
    Reply,
    { kind: 'broken' }
  >;
  expect([kind, why]).toEqual(['broken', { kind: 'timed-out', detail: 'after 250 ms' }]);
  expect(isAlive(waiting)).toBe(false);
});

test('a process that exited while waiting answers no event and is not started ahead again', async () => {
  const line = 'echo $$ >> c; exit 0';
  await run(line);
  const waited = await until('c', 2);
  for (let i = 0; isAlive(waited) && i < 500; i++) await pause(20);
  await pause(100);
  expect(await run(line)).toMatchObject({ kind: 'exited', code: 0 });
  await run(line);
  expect(started('c')).toHaveLength(4); // three events, one process in vain
});

test('if a waiting process is killed, another one is started for the event', async () => {
  await run(telling('d'));
  const waiting = await until('d', 2);
  process.kill(waiting, 'SIGKILL');
  for (let i = 0; isAlive(waiting) && i < 500; i++) await pause(20);
  expect(textOf(await run(telling('d')))).toMatch(/^an event\nby (?!0)\d+\n$/);
  expect(Number(started('d').at(-1))).not.toBe(waiting);
});

test('a changed file or environment gets a new process', async () => {
  const script = join(folder, 'guard.sh');
  writeFileSync(script, 'echo $$ >> e; cat > /dev/null; echo before');
  const line = `sh ${script}`;
  expect(textOf(await run(line))).toBe('before\n');
  const old = await until('e', 2);
  writeFileSync(script, 'cat > /dev/null; echo after');
  expect(textOf(await run(line))).toBe('after\n');
  for (let i = 0; isAlive(old) && i < 500; i++) await pause(20);
  expect(isAlive(old)).toBe(false);
  const shown = 'cat > /dev/null; echo "$WORD"';
  await run(shown, { env: { WORD: 'one' } });
  expect(textOf(await run(shown, { env: { WORD: 'two' } }))).toBe('two\n');
});

test('no waiting process outlives the program that fires events', async () => {
  await run(telling('f'));
  const waiting = await until('f', 2);
  expect(isAlive(waiting)).toBe(true);
  await runner.close();
  for (let i = 0; isAlive(waiting) && i < 500; i++) await pause(20);
  expect(isAlive(waiting)).toBe(false);
});
