/**
 * G15: hostile requests to everything that listens: the port of the view and the socket of the daemon. The MCP proxy
 * and the control channel open none.
 */

import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { encodeFrame } from '../../src/daemon/frames.ts';
import { asker, viewGround, write } from '../../src/view/fixtures/ground.ts';
import { CLI, DaemonWorld } from '../daemon/world.ts';
import { dice } from './random.ts';
import { control, result, SEED } from './results.ts';

type Headers = Readonly<Record<string, string>>;
interface Hostile {
  readonly path: string;
  readonly headers: Headers;
  readonly method?: string;
}
const PATHS = ['/api/state', '/api/session?key=s', '/api/hooks', '/api/chain?key=s', '/api/stream'];

function requestsTo(origin: string, token: string): Hostile[] {
  const own = { 'x-anyhook-token': token };
  const { port } = new URL(origin);
  const tokens = [
    {},
    { 'x-anyhook-token': '' },
    { 'x-anyhook-token': `${token}x` },
    { authorization: `Bearer ${token}` },
  ];
  const hosts = [
    'evil.example',
    `evil.example:${port}`,
    '127.0.0.1',
    '0.0.0.0',
    `127.0.0.1.evil.example:${port}`,
  ];
  const origins = [
    'https://evil.example',
    'null',
    `${origin}0`,
    'file://',
    origin.replace('http:', 'https:'),
  ];
  return [
    ...PATHS.flatMap((path) => tokens.map((headers) => ({ path, headers: headers as Headers }))),
    ...PATHS.map((path) => ({ path: `${path}${path.includes('?') ? '&' : '?'}token=${token}`, headers: {} })),
    ...PATHS.flatMap((path) => hosts.map((host) => ({ path, headers: { ...own, host } }))),
    ...PATHS.slice(0, 2).flatMap((path) =>
      origins.map((other) => ({ path, headers: { ...own, origin: other } })),
    ),
    ...['cross-site', 'same-site'].map((site) => ({
      path: PATHS[0]!,
      headers: { ...own, 'sec-fetch-site': site },
    })),
    ...['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].map((method) => ({
      path: PATHS[0]!,
      headers: own,
      method,
    })),
    ...[
      '/api/../../etc/passwd',
      '/%2e%2e/%2e%2e/etc/passwd',
      '/api/session?key=../../../.ssh/id',
      '/.env',
    ].map((path) => ({ path, headers: own })),
  ];
}

test('the view refuses hostile requests', async () => {
  const ground = viewGround();
  write(ground.open('s'), 'a secret thing');
  const { ask, origin, token } = await asker(ground);
  const hostile = requestsTo(origin, token);
  const accepted: Hostile[] = [];
  for (const one of hostile) {
    const { status, text } = await ask(one.path, one.headers, one.method);
    if ((status === 200 && one.path.startsWith('/api')) || /secret thing|root:/.test(text))
      accepted.push(one);
  }
  result('G15', `${hostile.length} hostile requests to the port of the view`, `${accepted.length} accepted`);
  expect([accepted, hostile.length >= 60]).toEqual([[], true]);
  // Control: with the token and from its own page the same paths are answered.
  const own = await Promise.all(PATHS.slice(0, 4).map(async (path) => (await ask(path)).status));
  control(
    'G15',
    'the view, asked by its own page',
    `${own.filter((status) => status === 200).length} of ${own.length} answered`,
  );
  expect(own).toEqual([200, 200, 200, 200]);
  expect((await ask('/api/session?key=s')).text).toContain('a secret thing');
});

const world = new DaemonWorld();
afterAll(() => world.close(), 60_000);

/** Everything that the daemon sends until it closes the connection. */
const replyTo = (bytes: string | Buffer): Promise<Buffer> =>
  new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const end = () => resolve(Buffer.concat(chunks));
    const socket = connect({ path: world.place.socket });
    socket.setTimeout(20_000, () => (socket.destroy(), chunks.push(Buffer.from('hung')), end()));
    socket.on('error', end);
    socket.on('close', end);
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.end(bytes);
  });
const READY = encodeFrame({ kind: 'ready' });

test('the daemon runs nothing for 60 random changes of a request, and runs the request itself', async () => {
  world.put('home/.config/anyhook/hooks.json', {
    hooks: { 'tool.before': [{ name: 'no', run: `echo ran >> ${world.root}/ran; echo no >&2; exit 2` }] },
  });
  world.install('codex');
  const call = world.bash('ls');
  await world.line(call);
  const [events, ran] = [await world.answered(), world.lines('ran').length];
  const hello = encodeFrame({ kind: 'hello', version: 1, program: CLI });
  const request = encodeFrame({
    kind: 'request',
    event: {
      args: ['codex'],
      cwd: world.project,
      env: world.env,
      parent: 0,
      leftMs: 590_000,
      stdin: Buffer.from(JSON.stringify(call)),
    },
  });
  const chance = dice(SEED);
  const hostile: (string | Buffer)[] = [
    '',
    '\n',
    'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n',
    request,
    Buffer.from([0xff, 0xfe, 0, 1]),
    Buffer.alloc(3_000_000, 'x'),
    '['.repeat(200_000),
    ...Array.from({ length: 60 }, () => {
      const cut = Buffer.concat([hello, request]);
      // The first 40 bytes after the hello have the lengths, the type and the arguments.
      const at = hello.length + chance.below(40);
      const changed = Buffer.from(cut);
      changed[at] = (changed[at]! + 1 + chance.below(254)) % 256;
      return changed.subarray(0, cut.length - 1 - chance.below(50));
    }),
  ];
  const wrong: string[] = [];
  for (const bytes of hostile) {
    const reply = await replyTo(bytes);
    if (reply.length > 0 && !reply.equals(READY)) wrong.push(reply.toString('latin1', 0, 100));
  }
  const modes = [
    lstatSync(world.place.socket).mode & 0o077,
    lstatSync(dirname(world.place.socket)).mode & 0o077,
  ];
  result(
    'G15',
    `${hostile.length} hostile requests to the socket of the daemon, seed ${SEED}`,
    `${wrong.length} accepted`,
  );
  expect([wrong, await world.answered(), world.lines('ran').length, modes]).toEqual([
    [],
    events,
    ran,
    [0, 0],
  ]);
  const answer = await world.line(call);
  control(
    'G15',
    'the daemon, called by its own client',
    `exit ${answer.code}, the hook ran ${world.lines('ran').length - ran} time more`,
  );
  expect([answer.code, world.lines('ran').length]).toEqual([2, ran + 1]);
}, 600_000);

test('clients that send nothing, little or too much do not block others and leave nothing behind', async () => {
  const call = world.bash('ls');
  await world.line(call);
  const { pid } = world.owner!;
  const memory = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024;
  const handles = () => readdirSync(`/proc/${pid}/fd`).length;
  const before = { memory: memory(), handles: handles() };
  const hello = encodeFrame({ kind: 'hello', version: 1, program: CLI });
  const sockets = Array.from({ length: 400 }, (_, nth) => {
    const socket = connect({ path: world.place.socket });
    socket.on('error', () => {}).on('data', () => {});
    if (nth % 4 === 1) socket.write(hello.subarray(0, 6));
    if (nth % 4 === 2) socket.write(Buffer.concat([hello, Buffer.from([0, 0, 255, 255, 4, 0])]));
    if (nth % 4 === 3) socket.write(Buffer.alloc(200_000, 'x'));
    return socket;
  });
  const answer = await world.line(call);
  for (const socket of sockets) socket.destroy();
  const after = await world.line(call);
  for (const until = Date.now() + 10_000; Date.now() < until && handles() > before.handles + 5;)
    await pause(50);
  const more = Math.round(memory() - before.memory);
  result(
    'G15',
    `${sockets.length} callers of the daemon that send nothing, little or too much`,
    `a call beside them is answered, the daemon stays (${more} MB more, ${handles() - before.handles} handles)`,
  );
  expect([answer.code, after.code, world.owner?.pid]).toEqual([2, 2, pid]);
  expect([more < 150, handles() <= before.handles + 5]).toEqual([true, true]);
}, 300_000);
