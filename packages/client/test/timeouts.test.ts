/** Real timeouts of the protocol. All tests wait at the same time. */

import { spawn } from 'node:child_process';
import { expect, test } from 'vitest';
import { frame } from './frames.ts';
import { forBothClients } from './suite.ts';
import { pause } from './world.ts';

const refused = (reason: string): string =>
  `anyhook refused this call because ${reason}. Run: anyhook doctor\n`;
/** Listens with room for one connection that nobody has accepted. */
const STOPPED_DAEMON = `require('node:net').createServer().listen({ path: process.argv[1], backlog: 1 }, () => console.log('listens'))`;
const REFUSE = ['codex', '--on-failure', 'refuse'];

forBothClients(({ world: newWorld }) => {
  test.concurrent('a daemon that sends nothing for 10 seconds after the request is a failure', async () => {
    const world = newWorld();
    await world.daemon(async (conversation) => {
      await conversation.accept();
      await pause(1_000);
      conversation.send(frame('WORKING'));
      await conversation.closed;
    });
    const ending = await world.run({ args: REFUSE });
    expect(ending).toMatchObject({ code: 2, stderr: refused('the daemon was silent for 10 seconds') });
    expect(ending.ms).toBeGreaterThan(11_000);
    expect(ending.ms).toBeLessThan(18_000);
    expect(world.calls('bridge')).toEqual([]);
  });

  test.concurrent('a daemon that does not send READY within 5 seconds is reported to the program that runs the event', async () => {
    const world = newWorld();
    world.behave({ stdout: 'direct' });
    const conversations = await world.daemon(async (conversation) => {
      await conversation.read();
      await conversation.closed;
    });
    const ending = await world.run({ args: ['codex', '--strict'], stdin: 'payload' });
    expect(ending).toMatchObject({ code: 0, stdout: 'direct', stderr: '' });
    expect(ending.ms).toBeGreaterThan(5_000);
    expect(ending.ms).toBeLessThan(10_000);
    expect(world.calls('bridge').map(({ args, stdin }) => ({ args, stdin }))).toEqual([
      { args: ['bridge', 'codex', '--strict', '--daemon', 'unresponsive'], stdin: 'payload' },
    ]);
    expect(conversations).toHaveLength(1);
  });

  test.concurrent('a daemon that was started and does not listen within 5 seconds is waited for, then the event runs directly', async () => {
    const world = newWorld();
    world.behave({ stdout: 'direct', daemon: 'hang' });
    const ending = await world.run();
    expect(ending).toMatchObject({ code: 0, stdout: 'direct', stderr: '' });
    expect(ending.ms).toBeGreaterThan(5_000);
    expect(world.calls('daemon')).toHaveLength(1);
    expect(world.calls('bridge')[0]?.args).toEqual(['bridge', 'codex']);
  });

  test.concurrent('a SIGSTOPped daemon whose backlog is full is reported as unresponsive', async () => {
    const world = newWorld();
    world.behave({ stdout: 'direct' });
    const daemon = spawn(process.execPath, ['-e', STOPPED_DAEMON, world.socket], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await new Promise((resolve) => daemon.stdout.once('data', resolve));
    daemon.kill('SIGSTOP');
    const endings = await Promise.all([1, 2, 3, 4].map(() => world.run()));
    daemon.kill('SIGKILL');
    expect(endings.map(({ code, stdout }) => [code, stdout])).toEqual(endings.map(() => [0, 'direct']));
    expect(world.calls('bridge').map(({ args }) => args.at(-1))).toEqual(endings.map(() => 'unresponsive'));
  });
});
