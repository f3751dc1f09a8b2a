/** Detects missing records from the records that arrived. */

import { spawnSync } from 'node:child_process';
import { jetstreamManager } from '@nats-io/jetstream';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { hasServer, type Server, startServer } from '../../src/demo/nats-server.ts';
import { EVERYBODY, STREAM } from '../../src/nats/subject.ts';
import { verifyStream } from '../../src/read/verify-command.ts';
import { connected, withStream } from '../fixtures/centre.ts';
import { draft, type Ground, makeGround, PROGRAM } from '../fixtures/ground.ts';
import { ship } from '../fixtures/shipping.ts';

describe.skipIf(!hasServer)('verify', () => {
  let server: Server;
  let ground: Ground;
  beforeAll(async () => {
    server = await startServer();
  });
  afterAll(() => server.close());
  beforeEach(() => {
    ground = makeGround();
  });
  afterEach(async () => {
    ground.close();
    const connection = await connected(server.address);
    await (await jetstreamManager(connection)).streams.delete(STREAM);
    await connection.close();
  });
  async function shipRounds(rounds: number): Promise<void> {
    for (let round = 0; round < rounds; round++) {
      const journal = ground.journal('a');
      for (let i = 0; i < 3; i++) journal.write(draft('a', round * 3 + i));
      journal.close();
      await ship(ground, { server: server.address });
    }
  }

  test('verify finds nothing if all records arrived, and exits with 0', async () => {
    const connection = await withStream(server.address);
    await shipRounds(3);
    expect(await verifyStream(connection, { stream: STREAM })).toEqual({
      isWhole: true,
      messages: 6,
      sessions: 1,
      records: 9,
      findings: [],
      broken: [],
    });
    await connection.close();
    const { status, stdout } = spawnSync(process.execPath, [PROGRAM, 'verify', '--nats', server.address], {
      encoding: 'utf8',
    });
    expect([status, stdout]).toEqual([0, 'As it was written: sessions 1, records 9, messages 6.\n']);
  });

  test('verify finds a removed message in the middle and at the end, and exits with 1', async () => {
    const connection = await connected(server.address);
    const manager = await jetstreamManager(connection);
    // Without the protection of `anyhook-fleet stream`, which forbids removal.
    await manager.streams.add({ name: STREAM, subjects: [EVERYBODY], allow_direct: true });
    await shipRounds(3);
    const { state } = await manager.streams.info(STREAM);
    await manager.streams.deleteMessage(STREAM, state.first_seq + 2, false);
    const middle = await verifyStream(connection, { stream: STREAM });
    expect([middle.isWhole, middle.findings.length > 0]).toEqual([false, true]);
    await manager.streams.deleteMessage(STREAM, state.last_seq - 1, false);
    const end = await verifyStream(connection, { stream: STREAM });
    await connection.close();
    // The head that was sent with the records refers to more records than there are.
    expect(end.broken.map(({ session }) => session)).toEqual(['m1.ann.a']);
    const { status, stdout } = spawnSync(process.execPath, [PROGRAM, 'verify', '--nats', server.address], {
      encoding: 'utf8',
    });
    expect([status, stdout.trimEnd().split('\n').at(-1)]).toEqual([
      1,
      `Not as it was written: sessions 1, records ${end.records}, messages ${end.messages}.`,
    ]);
  });
});
