import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import { serve } from './fixtures/http-server.mjs';

const fixture = (name: string) => fileURLToPath(new URL(`./fixtures/${name}`, import.meta.url));
const PROGRAM = { command: process.execPath, args: [fixture('stdio-server.mjs'), 'leaves-a-child'] };
const hosts: ChildProcess[] = [];
afterEach(() => hosts.splice(0).forEach((host) => host.kill('SIGKILL')));

function start(server: object, tool: string, ...how: string[]) {
  const host = spawn(process.execPath, [fixture('host.mjs'), JSON.stringify(server), tool, ...how], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  hosts.push(host);
  return host;
}
async function reply(host: ChildProcess): Promise<{ body: string }> {
  const [chunk] = (await once(host.stdout!, 'data')) as [Buffer];
  return JSON.parse(chunk.toString()) as { body: string };
}
const lives = (pid: number) => {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
};
async function until(holds: () => boolean, withinMs = 15_000): Promise<void> {
  for (const due = Date.now() + withinMs; Date.now() < due && !holds();)
    await new Promise((resolve) => setTimeout(resolve, 20));
  expect(holds()).toBe(true);
}
/** The server and its child. */
async function family(host: ChildProcess): Promise<number[]> {
  const { pid } = JSON.parse((await reply(host)).body) as { pid: number };
  return [pid, Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim())];
}

describe.skipIf(process.platform !== 'linux')('a program that uses a server and closes nothing', () => {
  test('ends by itself together with the server', async () => {
    const host = start(PROGRAM, 'where');
    const pids = await family(host);
    const [code] = (await once(host, 'exit')) as [number];
    expect(code).toBe(0);
    await until(() => !pids.some(lives));
  });

  test('ends by itself after a call over HTTP', async () => {
    const http = await serve();
    const host = start({ url: http.url }, 'echo');
    const ended = once(host, 'exit');
    expect(await reply(host)).toEqual({ kind: 'answered', status: 200, body: '{}' });
    expect(await ended).toEqual([0, null]);
    await http.close();
  });

  test('leaves no server and none of its children behind when it is killed', async () => {
    const host = start(PROGRAM, 'where', 'stay');
    const pids = await family(host);
    expect(pids.map(lives)).toEqual([true, true]);
    host.kill('SIGKILL');
    await until(() => !pids.some(lives));
  });
});
