import { cpSync } from 'node:fs';
import { join } from 'node:path';
import type { NatsConnection } from '@nats-io/transport-node';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { jetstreamManager } from '@nats-io/jetstream';
import { compared, hashOf, linesIn, withStream } from '../fixtures/centre.ts';
import { draft, type Ground, makeGround } from '../fixtures/ground.ts';
import { hasServer, type Server, startServer } from '../fixtures/nats-server.ts';
import { ship } from '../fixtures/shipping.ts';

describe.skipIf(!hasServer)('records in JetStream', () => {
  let server: Server;
  let connection: NatsConnection;
  let ground: Ground;
  beforeAll(async () => {
    server = await startServer();
  });
  afterAll(async () => server?.close());
  beforeEach(async () => {
    connection = await withStream(server.address);
    ground = makeGround();
  });
  afterEach(async () => {
    await (await jetstreamManager(connection)).streams.delete('ANYHOOK');
    await connection.close();
    ground.close();
  });
  const write = (session: string, count: number, from = 0) => {
    const journal = ground.journal(session);
    for (let i = from; i < from + count; i++) journal.write(draft(session, i));
    journal.close();
  };
  const arrived = async () => (await linesIn(connection)).map(hashOf);

  test('arrive whole, in the order of each session, under the name of their machine', async () => {
    write('a', 300);
    write('b', 3);
    expect(await ship(ground, { server: server.address })).toEqual([]);
    const lines = await linesIn(connection);
    expect(lines.map(hashOf)).toEqual(ground.hashes());
    expect(new Set(lines.map(({ source }) => JSON.stringify(source)))).toEqual(
      new Set(['{"machine":"m1","user":"ann"}']),
    );
  });

  test('arrive once, however often they are sent', async () => {
    write('a', 10);
    await ship(ground, { server: server.address });
    await ship(ground, { server: server.address });
    write('a', 10, 10);
    await ship(ground, { server: server.address });
    expect(await arrived()).toEqual(ground.hashes());
  });

  test('that were sent and not noted are not sent again: after a kill the last chunk is known by its id', async () => {
    write('a', 10);
    const copy = `${ground.root}-before`;
    // The state of a process that was killed after its chunk was taken and before it could note that.
    await ship(ground, {
      server: server.address,
      onSent: () => cpSync(ground.folder, copy, { recursive: true }),
    });
    cpSync(join(copy, '.shipped'), join(ground.folder, '.shipped'), { recursive: true });
    write('a', 5, 10);
    await ship(ground, { server: server.address });
    expect(compared(ground.hashes(), await arrived())).toEqual({ lost: 0, doubled: 0 });
  });
});
