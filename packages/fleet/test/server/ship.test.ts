import { cpSync, readFileSync, rmSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { hasServer, type Server, startServer } from '../../src/demo/nats-server.ts';
import { openStream } from '../../src/nats/stream.ts';
import { compared, hashOf, linesIn, withStream } from '../fixtures/centre.ts';
import { draft, type Ground, makeGround } from '../fixtures/ground.ts';
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

  test('records arrive complete, in the order of each session, under the name of their machine', async () => {
    write('a', 300);
    write('b', 3);
    expect(await ship(ground, { server: server.address })).toEqual([]);
    const lines = await linesIn(connection);
    expect(lines.map(hashOf)).toEqual(ground.hashes());
    expect(new Set(lines.map(({ source }) => JSON.stringify(source)))).toEqual(
      new Set(['{"machine":"m1","user":"ann"}']),
    );
  });

  test('records arrive once, however often they are sent', async () => {
    write('a', 10);
    await ship(ground, { server: server.address });
    await ship(ground, { server: server.address });
    write('a', 10, 10);
    await ship(ground, { server: server.address });
    expect(await arrived()).toEqual(ground.hashes());
  });

  test.each([
    ['the expected sequence', {}, 0],
    ['no expected sequence, as a control', { unsafe: 'no-expected-sequence' }, 10],
  ] as const)('that were sent and not noted before a kill, with %s', async (_, how, doubled) => {
    await openStream(connection, { name: 'ANYHOOK', replicas: 1, duplicatesMs: 100 });
    write('a', 3);
    await ship(ground, { server: server.address });
    write('a', 10, 3);
    const [kept, copy] = [join(ground.folder, '.shipped'), join(ground.root, 'as-killed')];
    // The state of a process that was killed after its chunk was stored and before it recorded that.
    const killed = new AbortController();
    const onSent = () => {
      cpSync(kept, copy, { recursive: true });
      killed.abort();
    };
    await ship(ground, { server: server.address, onSent, signal: killed.signal });
    rmSync(kept, { recursive: true });
    cpSync(copy, kept, { recursive: true });
    await sleep(1000); // Longer than the duplicate window of the server.
    write('a', 5, 13);
    await ship(ground, { server: server.address, ...how });
    expect(compared(ground.hashes(), await arrived())).toEqual({ lost: 0, doubled });
  });

  test('records are not sent again after all cursors are lost, because the stream knows what it has', async () => {
    write('a', 300);
    write('b', 5);
    await ship(ground, { server: server.address });
    rmSync(join(ground.folder, '.shipped'), { recursive: true });
    write('a', 5, 300);
    expect(await ship(ground, { server: server.address })).toEqual([]);
    expect(compared(ground.hashes(), await arrived())).toEqual({ lost: 0, doubled: 0 });
  });

  test('records wait while the stream is full, with a warning, and arrive once when there is space', async () => {
    const terms = { name: 'ANYHOOK', replicas: 1 };
    write('a', 20);
    await ship(ground, { server: server.address });
    await openStream(connection, { ...terms, keepBytes: 20_000 });
    write('a', 300, 20);
    const shipping = ship(ground, { server: server.address });
    await sleep(1500);
    expect((await arrived()).length).toBe(20); // The stream keeps its messages and accepts no new ones.
    await openStream(connection, terms);
    expect(await shipping).toEqual([
      expect.stringMatching(/maximum bytes exceeded.*The journal keeps what waits\.$/),
      expect.stringMatching(/records are taken again\.$/),
    ]);
    expect(await arrived()).toEqual(ground.hashes());
  });

  test('a copied journal is sent once, with a warning', async () => {
    write('a', 10);
    await ship(ground, { server: server.address });
    cpSync(join(ground.folder, 'a.jsonl'), join(ground.folder, 'copy.jsonl'));
    expect(await ship(ground, { server: server.address })).toEqual([
      'copy.jsonl: is a copy of a.jsonl, which goes out already; it is not sent.',
    ]);
    expect(await arrived()).toHaveLength(10);
  });

  test('two machines with the same name lose and duplicate nothing, and both are warned', async () => {
    const other = makeGround();
    try {
      const said: string[] = [];
      for (let round = 0; round < 3; round++) {
        write('a', 5, round * 5);
        const theirs = other.journal('b');
        for (let i = 0; i < 5; i++) theirs.write(draft('b', i));
        theirs.close();
        for (const one of [ground, other]) said.push(...(await ship(one, { server: server.address })));
      }
      expect(compared([...ground.hashes(), ...other.hashes()], await arrived())).toEqual({
        lost: 0,
        doubled: 0,
      });
      expect(new Set(said)).toEqual(
        new Set([
          expect.stringMatching(/^anyhook\.records\.m1\.ann: another machine sends under this name too/),
        ]),
      );
    } finally {
      other.close();
    }
  });

  test('a shortened or rewritten journal is reported, and later records are sent', async () => {
    write('a', 10);
    await ship(ground, { server: server.address });
    truncateSync(join(ground.folder, 'a.jsonl'), ground.hashes().length * 100);
    expect(await ship(ground, { server: server.address })).toEqual([
      'a.jsonl: is shorter than what was sent of it. What is written from now on is sent.',
    ]);
    write('a', 1, 10);
    await ship(ground, { server: server.address });
    const written = readFileSync(join(ground.folder, 'a.jsonl'), 'utf8').trimEnd().split('\n').at(-1)!;
    expect(await arrived()).toContain((JSON.parse(written) as { hash: string }).hash);
  });
});

describe.skipIf(!hasServer)('a server that takes little at once', () => {
  test('a server with a small message limit gets a large record in parts, which readers join, with a warning', async () => {
    const server = await startServer('max_payload: 8192');
    const ground = makeGround();
    try {
      const connection = await withStream(server.address);
      const journal = ground.journal('a');
      const words = Array.from({ length: 30 }, (_, at) => [`w${at}`, 'y'.repeat(1000)]);
      journal.write({ ...draft('a', 1), before: Object.fromEntries(words) });
      journal.write(draft('a', 2));
      journal.close();
      expect(await ship(ground, { server: server.address })).toEqual([
        'a.jsonl: a record is larger than ANYHOOK at nats://127.0.0.1:'.concat(
          `${new URL(server.address).port} takes at once (6144 bytes): it is cut, and goes in pieces.`,
        ),
      ]);
      expect((await linesIn(connection)).map(hashOf)).toEqual(ground.hashes());
      await connection.close();
    } finally {
      ground.close();
      await server.close();
    }
  });
});
