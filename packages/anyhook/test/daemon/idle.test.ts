/** When sessions close and the daemon exits without events. The daemon runs in this process with a fake clock. */

import { existsSync, mkdirSync, mkdtempSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { daemonState } from '../../src/daemon/ask-daemon.ts';
import { Daemon } from '../../src/daemon/daemon.ts';
import { encodeFrame, FrameReader, type Message, PROTOCOL_VERSION } from '../../src/daemon/frames.ts';
import { daemonPlaceIn } from '../../src/daemon/place.ts';
import { OWN_PROGRAM } from '../../src/daemon/program-mark.ts';
import { removeTree } from '../../src/settings/remove-tree.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const onEnd = vi.fn<() => void>();
let root = '';
let daemon: Daemon;
const place = () => daemonPlaceIn(join(root, 'state'));

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval'] });
  onEnd.mockReset();
  root = mkdtempSync(join(tmpdir(), 'ah-'));
  for (const name of ['state', 'home', 'project']) mkdirSync(join(root, name), { mode: 0o700 });
  daemon = new Daemon(place(), undefined, onEnd);
  await daemon.listen();
});
afterEach(() => {
  daemon.retire();
  vi.useRealTimers();
  removeTree(root);
});

/** Sends an event of Codex and returns what the daemon sends. */
function send(name: string, session: string): Promise<readonly Message['kind'][]> {
  const cwd = join(root, 'project');
  const env = { PATH: process.env['PATH']!, HOME: join(root, 'home') };
  const payload = { hook_event_name: name, session_id: session, cwd };
  const stdin = Buffer.from(JSON.stringify(payload));
  const event = { args: ['codex'], cwd, env, parent: 0, leftMs: 590_000, stdin };
  const kinds: Message['kind'][] = [];
  const reader = new FrameReader();
  return new Promise((resolve, reject) => {
    const socket = connect({ path: place().socket });
    socket.on('error', reject);
    socket.on('close', () => resolve(kinds));
    socket.on('data', (chunk: Buffer) => kinds.push(...reader.push(chunk).map(({ kind }) => kind)));
    socket.write(encodeFrame({ kind: 'hello', version: PROTOCOL_VERSION, program: OWN_PROGRAM }));
    socket.write(encodeFrame({ kind: 'request', event }));
  });
}
const openSessions = async (): Promise<number | string> => {
  const state = await daemonState(place(), 5000);
  return typeof state === 'object' ? state.sessions : state;
};

test('a session closes after ten minutes without an event, and others stay open', async () => {
  expect(await send('UserPromptSubmit', 'one')).toEqual(['ready', 'answer']);
  vi.advanceTimersByTime(9 * MINUTE);
  expect(await openSessions()).toBe(1);
  await send('UserPromptSubmit', 'two');
  vi.advanceTimersByTime(2 * MINUTE);
  expect(await openSessions()).toBe(1);
  vi.advanceTimersByTime(9 * MINUTE);
  expect(await openSessions()).toBe(0);
  expect(onEnd).not.toHaveBeenCalled();
});

test('a session closes at its end, and one that a late event opens again closes after twenty seconds', async () => {
  await send('UserPromptSubmit', 'one');
  await send('SessionEnd', 'one');
  expect(await openSessions()).toBe(0);
  await send('Stop', 'one');
  expect(await openSessions()).toBe(1);
  vi.advanceTimersByTime(40 * SECOND);
  expect(await openSessions()).toBe(0);
});

test('the daemon ends after thirty minutes without an event', async () => {
  await send('UserPromptSubmit', 'one');
  vi.advanceTimersByTime(29 * MINUTE);
  await send('UserPromptSubmit', 'two');
  vi.advanceTimersByTime(29 * MINUTE);
  expect(await openSessions()).toBe(0);
  vi.advanceTimersByTime(2 * MINUTE);
  await vi.waitFor(() => expect(onEnd).toHaveBeenCalledOnce());
  expect([await openSessions(), existsSync(place().socket), existsSync(place().owner)]).toEqual([
    'none',
    false,
    false,
  ]);
});

test('the daemon ends when another one has taken its place', async () => {
  removeTree(place().owner);
  vi.advanceTimersByTime(11 * SECOND);
  await vi.waitFor(() => expect(onEnd).toHaveBeenCalledOnce());
});
