/** How a client starts the daemon, and where it looks for it. */

import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { answer } from './frames.ts';
import { forBothClients } from './suite.ts';
import { type Conversation, pause } from './world.ts';

const polite = async (conversation: Conversation): Promise<void> => {
  await conversation.accept();
  conversation.send(answer(0, 'daemon'));
};

forBothClients(({ world: newWorld }) => {
  test('the first event starts the daemon and is answered by it', async () => {
    const world = newWorld();
    const first = await world.run();
    const [daemon] = world.calls('daemon');
    expect(first).toMatchObject({ code: 0, stdout: String(daemon?.pid), stderr: '' });
    expect(await world.run()).toMatchObject({ code: 0, stdout: first.stdout });
    expect(world.calls('daemon')).toHaveLength(1);
    expect(world.calls('bridge')).toEqual([]);
    expect(world.locks()).toEqual([]);
  });

  test('ten clients at once start one daemon, and it answers all of them', async () => {
    const world = newWorld();
    world.behave({ daemonWaitMs: 200 });
    const endings = await Promise.all(Array.from({ length: 10 }, () => world.run()));
    const pids = world.calls('daemon').map(({ pid }) => String(pid));
    expect(pids).toHaveLength(1);
    expect(endings.map(({ stdout }) => stdout)).toEqual(endings.map(() => pids[0]));
    expect(world.calls('bridge')).toEqual([]);
  });

  test('the daemon starts in its own session, in /, without files of the agent and with few variables', async () => {
    const world = newWorld();
    const pipe = openSync(join(world.root, 'of-the-agent'), 'w');
    const env = {
      NODE_OPTIONS: '--no-warnings',
      LD_PRELOAD: '',
      SECRET: 'x',
      XDG_STATE_HOME: '/s',
      LANG: 'C',
      HOMEPAGE: 'x',
    };
    await world.run({ env, stdio: ['pipe', 'pipe', 'pipe', pipe] });
    const [daemon] = world.calls('daemon');
    expect(daemon).toMatchObject({
      args: ['daemon', 'run'],
      cwd: '/',
      env: { XDG_STATE_HOME: '/s', LANG: 'C' },
    });
    const allowed = 'HOME USER LOGNAME PATH LANG TMPDIR XDG_CONFIG_HOME XDG_STATE_HOME XDG_DATA_HOME'.split(
      ' ',
    );
    // macOS adds one of its own to every process.
    const names = Object.keys(daemon?.env ?? {}).filter((name) => name !== '__CF_USER_TEXT_ENCODING');
    expect(names.filter((name) => !allowed.includes(name))).toEqual([]);
    expect(daemon?.openFiles?.filter((file) => file.includes('of-the-agent'))).toEqual([]);
    expect(daemon?.openFiles?.slice(0, 3)).toEqual(
      process.platform === 'linux' ? Array(3).fill('/dev/null') : [],
    );
  });

  test('the daemon goes on when the process group of the client is killed', async () => {
    const world = newWorld();
    world.behave({ daemonWaitMs: 500 });
    const { spawn } = await import('node:child_process');
    const client = spawn(world.command, ['codex'], { detached: true, stdio: 'ignore' });
    while (world.calls('daemon').length === 0) await pause(20);
    process.kill(-(client.pid ?? 0), 'SIGKILL');
    while (!existsSync(world.socket)) await pause(20);
    expect(await world.run()).toMatchObject({ code: 0, stdout: String(world.calls('daemon')[0]?.pid) });
  });

  test('a socket that nobody listens on any more is replaced by a new daemon', async () => {
    const world = newWorld();
    const { spawnSync } = await import('node:child_process');
    const listen = `require('node:net').createServer().listen(process.argv[1], () => process.kill(process.pid, 'SIGKILL'))`;
    spawnSync(process.execPath, ['-e', listen, world.socket]);
    expect(lstatSync(world.socket).isSocket()).toBe(true);
    const ending = await world.run();
    expect(ending).toMatchObject({ code: 0, stdout: String(world.calls('daemon')[0]?.pid) });
  });

  test('a daemon that crashes at its start makes the client run the event directly, without waiting', async () => {
    const world = newWorld();
    world.behave({ daemon: 'crash', stdout: 'direct' });
    const ending = await world.run();
    expect(ending).toMatchObject({ code: 0, stdout: 'direct', stderr: '' });
    expect(ending.ms).toBeLessThan(4_900);
    expect(world.calls('daemon')).toHaveLength(1);
    expect(world.calls('bridge')[0]?.args).toEqual(['bridge', 'codex']);
    expect(world.locks()).toEqual([]);
  });

  test('a daemon that ends because another one listens is not started again', async () => {
    const world = newWorld();
    world.behave({ daemon: 'leave' });
    const running = world.run();
    while (world.calls('daemon').length === 0) await pause(20);
    await pause(500);
    await world.daemon(polite);
    expect(await running).toMatchObject({ code: 0, stdout: 'daemon' });
    expect(world.calls('daemon')).toHaveLength(1);
  });

  test.each([
    ['this period', 0],
    ['the period before', -1],
  ])('a client waits for the daemon that another one starts with a lock of %s', async (_, period) => {
    const world = newWorld();
    // Both locks: the test may run over the end of a period.
    for (const later of [period, period + 1]) writeFileSync(world.lock(later), '');
    const running = world.run();
    await pause(500);
    await world.daemon(polite);
    expect(await running).toMatchObject({ code: 0, stdout: 'daemon' });
    expect(world.calls('daemon')).toEqual([]);
    expect(world.locks()).toHaveLength(2);
  });

  test.each([
    ['older than 40 seconds', -3],
    ['of the future', 180],
  ])('a lock %s is ignored and three clients start one daemon', async (_, later) => {
    const world = newWorld();
    writeFileSync(world.lock(later), '');
    const endings = await Promise.all([world.run(), world.run(), world.run()]);
    const pids = world.calls('daemon').map(({ pid }) => String(pid));
    expect(pids).toHaveLength(1);
    expect(endings.map(({ stdout }) => stdout)).toEqual(endings.map(() => pids[0]));
  });

  test('the client makes the folder of the socket with mode 0700', async () => {
    const world = newWorld();
    const state = join(world.root, 'state');
    rmSync(state, { recursive: true });
    expect(await world.run()).toMatchObject({ code: 0, stdout: String(world.calls('daemon')[0]?.pid) });
    expect(lstatSync(state).mode & 0o7777).toBe(0o700);
  });

  const isRoot = process.getuid?.() === 0;
  /** Each makes the place of the socket unusable although a daemon listens there. */
  const unusable: readonly (readonly [string, boolean, (state: string) => void])[] = [
    ['a folder with mode 0755', true, (state) => chmodSync(state, 0o755)],
    ['a folder with a sticky bit', true, (state) => chmodSync(state, 0o1700)],
    ['a folder of another user', isRoot, (state) => chownSync(state, 65_534, 65_534)],
    ['a socket of another user', isRoot, (state) => chownSync(join(state, 'socket'), 65_534, 65_534)],
  ];
  for (const [what, isPossible, spoil] of unusable) {
    test.skipIf(!isPossible)(
      `the client does not connect to a daemon in ${what} and runs the event directly`,
      async () => {
        const world = newWorld();
        world.behave({ stdout: 'direct' });
        const conversations = await world.daemon(polite);
        spoil(world.state);
        expect(await world.run()).toMatchObject({ code: 0, stdout: 'direct', stderr: '' });
        expect(conversations).toHaveLength(0);
        expect(world.calls('daemon')).toEqual([]);
        expect(world.calls('bridge')[0]?.args).toEqual(['bridge', 'codex']);
      },
    );
  }

  test('the client does not connect through a symbolic link to the folder or to the socket', async () => {
    const world = newWorld();
    world.behave({ stdout: 'direct' });
    const conversations = await world.daemon(polite);
    symlinkSync(world.state, join(world.root, 'folder'));
    mkdirSync(join(world.root, 'own'), { mode: 0o700 });
    symlinkSync(world.socket, join(world.root, 'own/socket'));
    for (const socket of [join(world.root, 'folder/socket'), join(world.root, 'own/socket')]) {
      world.configure({ socket });
      expect(await world.run()).toMatchObject({ code: 0, stdout: 'direct', stderr: '' });
    }
    expect(conversations).toHaveLength(0);
    expect(world.calls('daemon')).toEqual([]);
  });

  test('a plain file or a folder in place of the socket makes the client run the event directly', async () => {
    const world = newWorld();
    world.behave({ stdout: 'direct' });
    writeFileSync(world.socket, '');
    expect(await world.run()).toMatchObject({ code: 0, stdout: 'direct', stderr: '' });
    rmSync(world.socket);
    mkdirSync(world.socket);
    expect(await world.run()).toMatchObject({ code: 0, stdout: 'direct', stderr: '' });
    expect(world.calls('daemon')).toEqual([]);
  });

  test('a path that is too long for a socket makes the client run the event directly', async () => {
    const world = newWorld();
    world.behave({ stdout: 'direct' });
    const longest = process.platform === 'darwin' ? 103 : 107;
    const folder = join(world.root, 'x'.repeat(longest - world.root.length - '//socket'.length));
    mkdirSync(folder, { mode: 0o700 });
    const conversations = await world.daemon(polite, `${folder}/socket`);
    world.configure({ socket: `${folder}/socket` });
    expect(await world.run()).toMatchObject({ code: 0, stdout: 'daemon' });
    world.configure({ socket: `${folder}/sockets` });
    expect(await world.run()).toMatchObject({ code: 0, stdout: 'direct', stderr: '' });
    expect(conversations).toHaveLength(1);
    expect(world.calls('daemon')).toEqual([]);
  });

  test('a relative path of the socket makes the client run the event directly', async () => {
    const world = newWorld();
    world.behave({ stdout: 'direct' });
    await world.daemon(polite);
    world.configure({ socket: 'state/socket' });
    expect(await world.run({ cwd: world.root })).toMatchObject({ code: 0, stdout: 'direct', stderr: '' });
  });

  test('a folder that takes no file makes the client run the event directly', async () => {
    const world = newWorld();
    world.behave({ stdout: 'direct' });
    world.configure({ starting: join(world.root, 'missing/starting') });
    expect(await world.run()).toMatchObject({ code: 0, stdout: 'direct', stderr: '' });
    expect(world.calls('daemon')).toEqual([]);
  });

  test('without `socket` in its settings the client never asks a daemon', async () => {
    const world = newWorld();
    world.behave({ stdout: 'direct' });
    const conversations = await world.daemon(polite);
    world.configure({ socket: undefined });
    expect(await world.run()).toMatchObject({ code: 0, stdout: 'direct', stderr: '' });
    expect(conversations).toHaveLength(0);
  });
});
