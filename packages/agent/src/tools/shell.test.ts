import { existsSync, readFileSync } from 'node:fs';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { scene, use } from './fixtures/scene.ts';

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    // A zombie still has its process id.
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
  } catch {
    return false;
  }
};
async function gone(pid: number): Promise<boolean> {
  for (let tries = 0; tries < 100 && isAlive(pid); tries++) await sleep(50);
  return !isAlive(pid);
}
async function pidIn(file: string): Promise<number> {
  for (let tries = 0; tries < 200; tries++) {
    const text = existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
    if (text !== '') return Number(text);
    await sleep(25);
  }
  throw new Error(`${file} was not written`);
}

test('shell streams and returns both outputs, and a failure has its exit code', async () => {
  const at = scene();
  expect(await use('shell', { command: 'echo out; echo err >&2; exit 3' }, at)).toEqual({
    output: 'out\nerr\n[exit code 3]',
    title: 'echo out; echo err >&2; exit 3',
    metadata: { exitCode: 3 },
    isError: true,
    hasEnded: true,
  });
  expect(at.heard.join('')).toBe('out\nerr\n');
  expect(await use('shell', { command: 'true', description: 'Nothing' }, at)).toEqual({
    output: '(no output)',
    title: 'Nothing',
    metadata: { exitCode: 0 },
  });
});

test('shell runs in its folder with the variables of the scene only', async () => {
  const at = scene({ env: async () => ({ PATH: process.env['PATH'] ?? '', FROM_HOOK: 'yes' }) });
  mkdirSync(join(at.cwd, 'sub'));
  const { output } = await use('shell', { command: 'pwd; echo $FROM_HOOK; echo ${HOME-no}', cwd: 'sub' }, at);
  expect(output).toBe(`${at.cwd}/sub\nyes\nno`);
  expect(await use('shell', { command: 'pwd', cwd: 'none' }, at)).toMatchObject({
    output: `The command could not be started: there is no folder ${at.cwd}/none.`,
    isError: true,
  });
});

test('an abort ends the command and its children', async () => {
  const stop = new AbortController();
  const at = scene({ signal: stop.signal });
  const command = 'bash -c \'trap "" TERM; echo $$ > child; sleep 600\' & wait';
  const running = use('shell', { command }, at);
  const child = await pidIn(join(at.cwd, 'child'));
  expect(isAlive(child)).toBe(true);
  stop.abort();
  await expect(running).rejects.toThrow('aborted');
  expect(await gone(child)).toBe(true);
});

test('a command that exceeds its timeout is ended with its children, and its output is kept', async () => {
  const at = scene();
  const command = 'echo begun; sleep 600 & echo $! > child; wait';
  const result = await use('shell', { command, timeout: 500 }, at);
  expect(result).toMatchObject({
    output: 'begun\n[ended after 500 ms, with all it had started]',
    isError: true,
  });
  expect(await gone(await pidIn(join(at.cwd, 'child')))).toBe(true);
});

test('a background process that holds the pipes does not block the call', async () => {
  const at = scene();
  const result = await use('shell', { command: 'sleep 600 & echo $!' }, at);
  const pid = Number(result.output);
  expect(isAlive(pid)).toBe(true);
  process.kill(pid, 'SIGKILL');
});

test('a background command returns immediately and continues', async () => {
  const at = scene();
  const { metadata, output } = await use('shell', { command: 'echo up; sleep 600', background: true }, at);
  const pid = Number(metadata?.['pid']);
  expect(output).toBe(`up\n[runs in the background as process ${pid}]`);
  expect(isAlive(pid)).toBe(true);
  process.kill(-pid, 'SIGKILL');
});

test('long output shows its beginning and end, and a file has all of it', async () => {
  const { output, metadata } = await use('shell', { command: 'seq 1 100000' }, scene());
  expect(output.length).toBeLessThan(31_000);
  expect(output).toMatch(/^1\n2\n/);
  expect(output).toMatch(/99999\n100000$/);
  const file = String(metadata?.['outputFile']);
  expect(output).toContain(`the full output is in ${file}`);
  const whole = Array.from({ length: 100_000 }, (_, index) => `${index + 1}\n`).join('');
  expect(readFileSync(file, 'utf8')).toBe(whole);
});

test('a command killed by a signal is an error that names the signal', async () => {
  expect(await use('shell', { command: 'kill -SEGV $$' }, scene())).toMatchObject({
    output: '[ended by SIGSEGV]',
    isError: true,
  });
});
