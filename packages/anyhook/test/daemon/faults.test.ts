/** The daemon is killed, stopped, replaced and given garbage: each event is answered, and no hook runs twice. */

import { spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { encodeFrame, FrameReader, type Message } from '../../src/daemon/frames.ts';
import { daemonPlaceIn, daemonObstacle } from '../../src/daemon/place.ts';
import { CLI, CLIENTS, DaemonWorld, type Ended, hasEnded } from './world.ts';

const world = new DaemonWorld();
const counting = (name: string): string => `echo ${name} >> ${join(world.root, 'ran')}`;
const HOOKS = {
  hooks: {
    'tool.before': [
      { name: 'quick', match: 'shell(quick)', run: `${counting('quick')}; echo no >&2; exit 2` },
      { name: 'slow', match: 'shell(slow)', run: `${counting('slow')}; sleep 2; echo no >&2; exit 2` },
    ],
  },
};
const MODULE = `import { appendFileSync } from 'node:fs';
import { defineHook } from 'anyhook';
export default defineHook({
  on: 'tool.before',
  match: 'shell(exit) | shell(kill)',
  run({ payload }) {
    const { command } = payload.input;
    appendFileSync(${JSON.stringify(join(world.root, 'ran'))}, command + '\\n');
    if (command === 'exit') process.exit(0);
    if (command === 'kill') process.kill(process.pid, 'SIGKILL');
  },
});
`;
let quick = world.bash('quick');
const REFUSED = { code: 2, stdout: '', stderr: expect.stringMatching(/^no \[hook "quick/) };
const ran = (): string[] => world.lines('ran');

beforeAll(() => {
  world.put('home/.config/anyhook/hooks.json', HOOKS);
  world.install('codex');
});
afterAll(() => world.close(), 30_000);
let tests = 0;
beforeEach(() => {
  world.session = `test-${++tests}`;
  quick = world.bash('quick');
  rmSync(join(world.root, 'ran'), { force: true });
});

test('ten agents that start at once get one daemon and ten answers', async () => {
  await world.cli('daemon', 'stop');
  const answers = await Promise.all(Array.from({ length: 10 }, () => world.line(quick)));
  expect(answers).toEqual(answers.map(() => REFUSED));
  expect([await world.answered(), ran().length]).toEqual([10, 10]);
}, 180_000);

describe.each(CLIENTS)('with the %s client', (kind) => {
  beforeAll(() => world.install('codex', kind));
  afterAll(() => world.install('codex'));

  async function whileItRuns(command: string, act: () => void): Promise<Ended> {
    await world.line(quick);
    rmSync(join(world.root, 'ran'), { force: true });
    const answer = world.line(world.bash(command));
    for (let i = 0; ran().length === 0 && i < 600; i++) await pause(50);
    act();
    return answer;
  }

  test('a daemon that is killed while a hook runs makes the call fail once, and the next event gets a new daemon', async () => {
    const answer = await whileItRuns('slow', () => process.kill(world.owner!.pid, 'SIGKILL'));
    expect(answer).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('the daemon stopped before it answered'),
    });
    await pause(2500);
    expect(ran()).toEqual(['slow']);
    expect(await world.line(quick)).toEqual(REFUSED);
  }, 180_000);

  test('an entry that does not refuse passes with a notice when the daemon is killed while a hook runs', async () => {
    await world.line(quick);
    rmSync(join(world.root, 'ran'), { force: true });
    const answer = world.line(world.bash('slow'), { isClosed: false });
    for (let i = 0; ran().length === 0 && i < 600; i++) await pause(50);
    process.kill(world.owner!.pid, 'SIGKILL');
    expect(await answer).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('the daemon stopped before it answered'),
    });
  }, 180_000);

  test('a daemon that is suspended while a hook runs makes the call fail, and the hook does not run again', async () => {
    const { pid } = (await world.line(quick), world.owner!);
    const answer = await whileItRuns('slow', () => process.kill(pid, 'SIGSTOP'));
    process.kill(pid, 'SIGCONT');
    await pause(2500);
    expect([answer.code, answer.stderr.includes('silent'), ran()]).toEqual([2, true, ['slow']]);
  }, 180_000);

  test('an event that a suspended daemon does not accept is answered once without it, and the daemon is replaced', async () => {
    await world.line(quick);
    const { pid } = world.owner!;
    process.kill(pid, 'SIGSTOP');
    rmSync(join(world.root, 'ran'), { force: true });
    expect(await world.line(quick)).toEqual(REFUSED);
    expect([ran(), await hasEnded(pid)]).toEqual([['quick'], true]);
    expect(await world.line(quick)).toEqual(REFUSED);
    expect([ran(), world.owner!.pid === pid]).toEqual([['quick', 'quick'], false]);
  }, 180_000);

  test.each(['exit', 'kill'])(
    'a module that ends its process by %s is a refusal, and other events are answered',
    async (command) => {
      world.put('home/.config/anyhook/hooks/mine.ts', MODULE);
      const { code } = await world.line(world.bash(command));
      expect([ran(), code]).toEqual([[command], 2]);
      expect(await world.line(quick)).toEqual(REFUSED);
      rmSync(join(world.home, '.config/anyhook/hooks'), { recursive: true });
    },
    180_000,
  );

  test('variables of a project that make programs load other code reach the hooks, but not our own programs', async () => {
    const evil = world.put(
      'evil.cjs',
      `require('fs').appendFileSync(${JSON.stringify(join(world.root, 'evil'))}, process.argv.join(' ') + '\\n');`,
    );
    const options = `--require ${evil}`;
    world.put('home/.config/anyhook/hooks/mine.ts', MODULE);
    world.put('home/.config/anyhook/hooks.json', {
      hooks: {
        'tool.before': [
          { match: 'shell(env)', run: `echo "$NODE_OPTIONS|$LD_PRELOAD" >> ${join(world.root, 'ran')}` },
        ],
      },
    });
    const answer = await world.line(world.bash('env'), {
      first: `export NODE_OPTIONS='${options}' LD_PRELOAD=/no/such/library.so; `,
    });
    world.put('home/.config/anyhook/hooks.json', HOOKS);
    rmSync(join(world.home, '.config/anyhook/hooks'), { recursive: true });
    // System programs print a warning about the missing library. The answer does not depend on it.
    expect([answer.code, ran()]).toEqual([0, [`${options}|/no/such/library.so`]]);
    // The Node client itself is started by the user's shell with these variables.
    expect(world.lines('evil').filter((line) => !line.includes('anyhook-client'))).toEqual([]);
  }, 180_000);

  test('a full disk refuses tool calls with a reason', async () => {
    await world.cli('daemon', 'stop');
    await world.stopped();
    const answer = await world.line(quick, { first: "trap '' XFSZ; ulimit -f 0; " });
    expect([answer.code, answer.stderr.trim() !== '']).toEqual([2, true]);
    await world.cli('daemon', 'stop');
    await world.stopped();
    expect(await world.line(quick)).toEqual(REFUSED); // Control.
  }, 180_000);

  test('an event of 64 MiB is judged like a small one, and a larger one is refused without calling a hook', async () => {
    await world.line(quick);
    const events = await world.answered();
    rmSync(join(world.root, 'ran'), { force: true });
    const sized = (bytes: number): string => {
      const text = JSON.stringify({ ...quick, padding: '' });
      return text.replace('"padding":""', `"padding":"${'x'.repeat(bytes - text.length)}"`);
    };
    expect(await world.line(sized(64 * 1024 * 1024))).toEqual(REFUSED);
    expect([await world.answered(), ran()]).toEqual([events + 1, ['quick']]);
    const tooLarge = await world.line(sized(64 * 1024 * 1024 + 1));
    expect([tooLarge.code, tooLarge.stderr, ran()]).toEqual([
      2,
      'anyhook refused this call because the event is larger than 64 MiB. Run: anyhook doctor\n',
      ['quick'],
    ]);
  }, 180_000);

  test('a client that is killed leaves its hooks running to their end and the daemon ready', async () => {
    await world.line(quick);
    rmSync(join(world.root, 'ran'), { force: true });
    const child = spawn(world.client, ['codex'], { env: world.env, cwd: world.project });
    child.stdin.end(JSON.stringify(world.bash('slow')));
    for (let i = 0; ran().length === 0 && i < 600; i++) await pause(50);
    child.kill('SIGKILL');
    expect(await world.line(quick)).toEqual(REFUSED);
    expect(ran().toSorted()).toEqual(['quick', 'slow']);
  }, 180_000);
});

describe('the socket of the daemon', () => {
  /** Everything that the daemon sends until it closes the connection. */
  const replyTo = (send: (socket: Socket) => void): Promise<readonly Message['kind'][]> =>
    new Promise((resolve) => {
      const reader = new FrameReader();
      const kinds: Message['kind'][] = [];
      const socket = connect({ path: world.place.socket });
      socket.on('error', () => {});
      socket.on('close', () => resolve(kinds));
      socket.on('data', (chunk: Buffer) => kinds.push(...reader.push(chunk).map(({ kind }) => kind)));
      send(socket);
    });
  const hello = encodeFrame({ kind: 'hello', version: 1, program: CLI });
  const request = () =>
    encodeFrame({
      kind: 'request',
      event: {
        args: ['codex'],
        cwd: world.project,
        env: world.env,
        parent: 0,
        leftMs: 590_000,
        stdin: Buffer.from(JSON.stringify(quick)),
      },
    });

  test('the daemon closes connections that send garbage, partial frames or frames out of order, and runs nothing', async () => {
    await world.line(quick);
    const events = await world.answered();
    rmSync(join(world.root, 'ran'), { force: true });
    const length = Buffer.alloc(4);
    length.writeUInt32BE(80 * 1024 * 1024);
    const half = request().subarray(0, request().length - 1);
    expect([
      await replyTo((socket) => socket.end()),
      await replyTo((socket) => socket.end('GET / HTTP/1.1\r\n\r\n')),
      await replyTo((socket) => socket.end(Buffer.from([0, 0, 0, 1, 99]))),
      await replyTo((socket) => socket.end(length)),
      await replyTo((socket) => socket.end(request())), // Without a hello.
      await replyTo((socket) => socket.end(Buffer.concat([hello, hello]))),
      await replyTo((socket) => socket.end(Buffer.concat([hello, half]))),
      await replyTo((socket) => socket.end(encodeFrame({ kind: 'hello', version: 0, program: CLI }))),
    ]).toEqual([[], [], [], [], [], ['ready'], ['ready'], ['retired']]);
    expect([await world.answered(), ran()]).toEqual([events, []]);
    // Control: the same request, complete and in order, is answered.
    expect(await replyTo((socket) => socket.write(Buffer.concat([hello, request()])))).toEqual([
      'ready',
      'answer',
    ]);
    expect(ran()).toEqual(['quick']);
  }, 120_000);

  test('the daemon answers events while four hundred clients send nothing, little or too much', async () => {
    await world.line(quick);
    const { pid } = world.owner!;
    const sockets = Array.from({ length: 400 }, (_, nth) => {
      const socket = connect({ path: world.place.socket });
      socket.on('error', () => {}).on('data', () => {});
      if (nth % 4 === 1) socket.write(hello);
      if (nth % 4 === 2) socket.write(Buffer.concat([hello, request().subarray(0, 40)]));
      if (nth % 4 === 3) socket.write(Buffer.alloc(200_000, 'x'));
      return socket;
    });
    expect(await world.line(quick)).toEqual(REFUSED);
    for (const socket of sockets) socket.destroy();
    expect([await world.line(quick), world.owner!.pid]).toEqual([REFUSED, pid]);
  }, 120_000);
});

test('a daemon gives way to a client of a newer protocol version', async () => {
  await world.line(quick);
  const old = world.owner!;
  const socket = connect({ path: world.place.socket });
  socket.on('error', () => {}).on('data', () => {});
  socket.end(encodeFrame({ kind: 'hello', version: 2, program: CLI }));
  expect(await hasEnded(old.pid)).toBe(true);
  expect(await world.line(quick)).toEqual(REFUSED);
  expect(world.owner!.pid).not.toBe(old.pid);
}, 120_000);

describe('something else in the place of the socket', () => {
  const planted: readonly (readonly [string, (socket: string) => void])[] = [
    ['a file', (socket) => writeFileSync(socket, '')],
    ['a link', (socket) => symlinkSync('/dev/null', socket)],
  ];
  test.each(planted)(
    '%s in place of the socket is not used: the event is answered directly',
    async (_, plant) => {
      await world.cli('daemon', 'stop');
      await world.stopped();
      const { socket, folder } = world.place;
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      plant(socket);
      expect(await world.line(quick)).toEqual(REFUSED);
      rmSync(socket, { force: true });
      expect(ran()).toEqual(['quick']);
    },
    120_000,
  );

  test('a server that never answers costs five seconds, and the event is answered directly', async () => {
    await world.cli('daemon', 'stop');
    await world.stopped();
    const silent = createServer((socket) => socket.on('error', () => {}).resume());
    await new Promise<void>((resolve) => silent.listen(world.place.socket, resolve));
    expect(await world.line(quick)).toEqual(REFUSED);
    silent.close();
    expect(ran()).toEqual(['quick']);
  }, 120_000);

  test('client and daemon do not use a folder that other users may write to', async () => {
    await world.line(quick);
    const events = await world.answered();
    chmodSync(world.place.folder, 0o777);
    expect(daemonObstacle(world.place)).toBe(`${world.place.folder} can be opened by other users`);
    expect(await world.line(quick)).toEqual(REFUSED);
    chmodSync(world.place.folder, 0o700);
    expect(await world.answered()).toBe(events);
    await world.line(quick);
    expect(await world.answered()).toBe(events + 1); // Control.
  }, 120_000);

  test.runIf(process.getuid?.() === 0)(
    'a socket of another user is not used',
    async () => {
      const NOBODY = 65_534;
      await world.line(quick);
      const events = await world.answered();
      chownSync(world.place.socket, NOBODY, NOBODY);
      expect(await world.line(quick)).toEqual(REFUSED);
      expect(await world.answered()).toBe(events);
      await world.cli('daemon', 'stop');
      await world.stopped();
    },
    120_000,
  );

  test('a home folder that is too deep for a socket: events are answered directly, and status says why', async () => {
    const deep = new DaemonWorld(`${'d'.repeat(90)}/home`);
    deep.put(`${deep.homeName}/.config/anyhook/hooks.json`, HOOKS);
    deep.install('codex');
    expect(await deep.line(deep.bash('quick'))).toEqual(REFUSED);
    const { stdout } = await deep.cli('daemon', 'status');
    expect(stdout).toMatch(/^No daemon can run: the path of the socket is longer than 92 bytes/);
    expect(daemonObstacle(daemonPlaceIn(deep.place.folder))).toContain('longer than 92 bytes');
    await deep.close();
  }, 120_000);

  test('a stale lock of a daemon that never started delays no answer, and a running daemon removes locks', async () => {
    await world.cli('daemon', 'stop');
    await world.stopped();
    const lock = join(world.place.folder, `starting.${Math.floor(Date.now() / 20_000)}`);
    writeFileSync(lock, '', { mode: 0o600 });
    expect(await world.line(quick)).toEqual(REFUSED);
    rmSync(lock, { force: true });
    expect(await world.line(quick)).toEqual(REFUSED);
    expect([await world.answered(), existsSync(lock)]).toEqual([1, false]);
  }, 120_000);
});

test('a daemon of another build finishes and exits, and the event goes to a new one', async () => {
  await world.line(quick);
  const old = world.owner!;
  const copy = join(world.root, 'copy');
  for (const part of ['dist', 'package.json', 'schema'])
    cpSync(join(dirname(CLI), '../..', part), join(copy, part), { recursive: true });
  symlinkSync(join(dirname(CLI), '../../../../node_modules'), join(copy, 'node_modules'));
  const program = join(copy, 'dist/bin/anyhook.cjs');
  const install = await world.run([process.execPath, program, 'install', 'codex', '--json']);
  expect([install.code, install.stderr]).toEqual([0, '']);
  expect(await world.line(quick)).toEqual(REFUSED);
  expect(world.owner!.program).toBe(program);
  expect(await hasEnded(old.pid)).toBe(true);
  world.install('codex');
  expect(await world.line(quick)).toEqual(REFUSED);
  expect(world.owner!.program).toBe(CLI);
}, 240_000);

describe('anyhook daemon', () => {
  test('anyhook daemon status prints the running daemon, and stop ends it', async () => {
    await world.line(quick);
    const { pid } = world.owner!;
    const status = await world.cli('daemon', 'status', '--json');
    expect([status.code, JSON.parse(status.stdout)]).toEqual([
      0,
      {
        running: true,
        pid,
        version: expect.any(String),
        program: CLI,
        sessions: expect.any(Number),
        events: expect.any(Number),
        rssBytes: expect.any(Number),
        current: true,
        socket: world.place.socket,
        setting: 'on',
      },
    ]);
    expect(await world.cli('daemon', 'stop')).toEqual({
      code: 0,
      stdout: 'The daemon has stopped. The next event of an agent starts another.\n',
      stderr: '',
    });
    expect([
      (await world.cli('daemon', 'stop')).code,
      (await world.cli('daemon', 'status')).code,
      existsSync(world.place.socket),
    ]).toEqual([1, 1, false]);
    expect((await world.cli('daemon', 'restart')).code).toBe(2);
  }, 120_000);

  test('anyhook daemon stop ends a suspended daemon', async () => {
    await world.line(quick);
    const { pid } = world.owner!;
    process.kill(pid, 'SIGSTOP');
    expect(await world.cli('daemon', 'stop')).toEqual({
      code: 0,
      stdout: 'The daemon has stopped. The next event of an agent starts another.\n',
      stderr: '',
    });
    expect(await hasEnded(pid)).toBe(true);
    expect(await world.line(quick)).toEqual(REFUSED);
  }, 120_000);

  test('the command name of earlier versions still works', async () => {
    expect(await world.cli('engine', 'status')).toEqual({
      code: 2,
      stdout: '',
      stderr: "anyhook: unknown command 'engine'. Run: anyhook daemon status\n",
    });
  }, 120_000);

  test('"daemon": "off" in the settings keeps it from starting, and events are answered directly', async () => {
    await world.cli('daemon', 'stop');
    await world.stopped();
    world.put('home/.config/anyhook/hooks.json', { ...HOOKS, daemon: 'off' });
    expect(await world.line(quick)).toEqual(REFUSED);
    expect(await world.line(quick)).toEqual(REFUSED);
    expect(await world.state()).toBeUndefined();
    const { stdout } = await world.cli('daemon', 'status');
    expect(stdout).toBe('The daemon is switched off by "daemon": "off" in your hooks.json.\n');
    world.put('home/.config/anyhook/hooks.json', HOOKS);
    expect(await world.line(quick)).toEqual(REFUSED); // Switches the client back.
    expect(await world.line(quick)).toEqual(REFUSED);
    expect(await world.state()).toBeDefined();
  }, 120_000);

  test('the daemon ends immediately after the last uninstall', async () => {
    await world.line(quick);
    const { pid } = world.owner!;
    const person = join(import.meta.dirname, '../person.sh');
    await world.run(['sh', person, process.execPath, CLI, 'uninstall', 'codex']);
    expect(await hasEnded(pid)).toBe(true);
    world.install('codex');
  }, 120_000);
});
