/**
 * Sends `kill -9` to the shipper and the server repeatedly while records are written, and counts lost and duplicate
 * records.
 */

import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { freePort, hasServer, type Server, startServer } from '../../src/demo/nats-server.ts';
import { compared, connected, hashOf, linesIn, withStream } from '../fixtures/centre.ts';
import { draft, makeGround } from '../fixtures/ground.ts';
import { ship } from '../fixtures/shipping.ts';

const SHARE = Number(process.env['ANYHOOK_FLEET_SHARE'] ?? '1');
const SHIP_KILLS = Math.ceil(150 * SHARE);
const SERVER_KILLS = Math.ceil(50 * SHARE);

/** Not uniform, so that early moments are hit more often. */
const within = (ms: number): number => Math.random() ** 2 * ms;

test.skipIf(!hasServer)(
  'repeated kills of the shipper and the server lose and duplicate no record',
  { timeout: 400_000 },
  async () => {
    const server = await startServer();
    const ground = makeGround();
    const setUp = await withStream(server.address);
    await setUp.close();
    let isWriting = true;
    let written = 0;
    const startMs = await timeOf(() => once(ground.ship(server.address, '--once'), 'exit'));
    const writer = (async () => {
      const journals = ['a', 'b', 'c'].map((name) => [name, ground.journal(name)] as const);
      while (isWriting) {
        for (const [name, journal] of journals) {
          journal.write(draft(name, ++written));
          await sleep(within(8));
        }
      }
      for (const [, journal] of journals) journal.close();
    })();
    try {
      for (let kill = 0; kill < SHIP_KILLS; kill++) {
        const child = ground.ship(server.address);
        child.stderr!.resume();
        const ended = once(child, 'exit');
        await sleep(startMs * 0.5 + within(startMs)); // The start alone takes the first part of this time.
        child.kill('SIGKILL');
        await ended;
      }
      const stopped = new AbortController();
      const running = ship(ground, { server: server.address, isFollowed: true, signal: stopped.signal });
      for (let kill = 0; kill < SERVER_KILLS; kill++) {
        await sleep(100 + within(400));
        await server.kill();
        await server.start();
      }
      isWriting = false;
      await writer;
      stopped.abort();
      await running;
      await ship(ground, { server: server.address });
      const connection = await connected(server.address);
      const arrived = (await linesIn(connection)).map(hashOf);
      await connection.close();
      const found = compared(ground.hashes(), arrived);
      process.stdout.write(
        `kills: ${SHIP_KILLS} of ship, ${SERVER_KILLS} of the server, while ${written} records were written; lost ${found.lost}, doubled ${found.doubled}\n`,
      );
      expect([found, arrived.length]).toEqual([{ lost: 0, doubled: 0 }, written]);
    } finally {
      isWriting = false;
      await writer;
      ground.close();
      await server.close();
    }
  },
);

async function timeOf(act: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await act();
  return performance.now() - from;
}

async function cluster(): Promise<Server[]> {
  const ports = await Promise.all(Array.from({ length: 6 }, freePort));
  const routes = ports.slice(3).map((port) => `nats-route://127.0.0.1:${port}`);
  return Promise.all(
    [0, 1, 2].map((at) =>
      startServer(
        `cluster { name: fleet, host: 127.0.0.1, port: ${ports[at + 3]}, routes: [${routes.join(', ')}] }`,
        { name: `n${at}`, port: ports[at]! },
      ),
    ),
  );
}

test.skipIf(!hasServer)(
  'a cluster whose leader is killed while records arrive loses and duplicates nothing',
  { timeout: 400_000 },
  async () => {
    const servers = await cluster();
    const ground = makeGround();
    const address = servers.map((one) => one.address).join(',');
    try {
      const connection = await withRetries(() => withStream(address, { replicas: 3 }));
      const stopped = new AbortController();
      let sent = 0;
      const running = ship(ground, {
        server: address,
        isFollowed: true,
        signal: stopped.signal,
        onSent: () => sent++,
      });
      const journal = ground.journal('a');
      let written = 0;
      const kills = Math.max(1, Math.ceil(3 * SHARE));
      for (let kill = 0; kill < kills; kill++) {
        for (let i = 0; i < 400; i++) {
          journal.write(draft('a', ++written));
          if (i % 20 === 0) await sleep(5);
          if (i !== 200) continue;
          const leader = servers[await withRetries(() => leaderOf(address))]!;
          await leader.kill();
          setTimeout(() => void leader.start(), 500);
        }
        const goal = written;
        await withRetries(async () => {
          if ((await linesIn(connection)).length < goal) throw new Error('not all have arrived yet');
        });
      }
      journal.close();
      stopped.abort();
      await running;
      const found = compared(ground.hashes(), (await linesIn(connection)).map(hashOf));
      await connection.close();
      process.stdout.write(
        `cluster: ${kills} leaders of 3 servers killed in mid-stream, ${written} records in ${sent} messages; lost ${found.lost}, doubled ${found.doubled}\n`,
      );
      expect(found).toEqual({ lost: 0, doubled: 0 });
    } finally {
      ground.close();
      await Promise.all(servers.map((one) => one.close()));
    }
  },
);

async function leaderOf(address: string): Promise<number> {
  const { jetstreamManager } = await import('@nats-io/jetstream');
  const connection = await connected(address);
  try {
    const { cluster } = await (await jetstreamManager(connection)).streams.info('ANYHOOK');
    const name = cluster?.leader ?? '';
    if (!/^n[0-2]$/.test(name)) throw new Error('the stream has no leader');
    return Number(name.slice(1));
  } finally {
    await connection.close();
  }
}

async function withRetries<T>(attempt: () => Promise<T>): Promise<T> {
  const last = Date.now() + 90_000;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (Date.now() > last) throw error;
      await sleep(300);
    }
  }
}
