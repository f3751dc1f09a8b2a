/** Reads records at the centre with the log and the page, including machines with a wrong clock or a copied journal. */

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { removeTree } from '../../../anyhook/src/settings/remove-tree.ts';
import { hasServer, type Server, startServer } from '../../src/demo/nats-server.ts';
import { withStream } from '../fixtures/centre.ts';
import { draft, type Ground, makeGround, PROGRAM } from '../fixtures/ground.ts';
import { ship } from '../fixtures/shipping.ts';

const ANYHOOK = join(import.meta.dirname, '../../../anyhook/bin/anyhook.cjs');
const HOUR_MS = 3_600_000;

describe.skipIf(!hasServer)('the records of everybody', () => {
  let server: Server;
  let connection: NatsConnection;
  let grounds: Ground[];
  beforeAll(async () => {
    server = await startServer();
  });
  afterAll(async () => server?.close());
  beforeEach(async () => {
    connection = await withStream(server.address);
    grounds = [];
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    await (await jetstreamManager(connection)).streams.delete('ANYHOOK');
    await connection.close();
    for (const ground of grounds) ground.close();
  });
  const newGround = () => {
    const ground = makeGround();
    grounds.push(ground);
    return ground;
  };
  /** Writes records of a machine whose clock is off by the given time. */
  function write(
    { journal }: Ground,
    session: string,
    verdicts: readonly ('deny' | 'none')[],
    offMs = 0,
  ): void {
    const opened = journal(session);
    verdicts.forEach((verdict, at) =>
      opened.write({ ...draft(session, at, verdict), at: new Date(Date.now() + offMs).toISOString() }),
    );
    opened.close();
  }
  const sent = (ground: Ground, machine: string, user: string) =>
    ship(ground, { server: server.address, source: { machine, user } });
  const log = (...words: string[]) => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [PROGRAM, 'log', '--nats', server.address, ...words],
      { encoding: 'utf8', env: { ...process.env, NO_COLOR: '1' } },
    );
    return { status, stderr, stdout };
  };
  const records = (...words: string[]) =>
    log('--json', ...words)
      .stdout.split('\n')
      .filter((line) => line !== '')
      .map(
        (line) =>
          JSON.parse(line) as {
            machine: string;
            user: string;
            record: { verdict: string; ids: object; at: string };
          },
      );

  test('fleet log finds records by user, machine, verdict and time', async () => {
    const [ann, bob] = [newGround(), newGround()];
    write(ann, 'a', ['none', 'deny', 'none']);
    write(ann, 'old', ['deny'], -2 * HOUR_MS);
    write(bob, 'b', ['deny', 'none']);
    await sent(ann, 'm1', 'ann');
    await sent(bob, 'm2', 'bob');
    const shown = (...words: string[]) =>
      records(...words).map(({ machine, user, record }) => [machine, user, record.verdict]);
    expect(shown('--since', '1h', '--verdict', 'deny', '--user', 'ann')).toEqual([['m1', 'ann', 'deny']]);
    expect(shown('--verdict', 'deny')).toHaveLength(3);
    expect(shown('--machine', 'm2')).toEqual([
      ['m2', 'bob', 'deny'],
      ['m2', 'bob', 'none'],
    ]);
    expect(shown('--session', 'a', '--last', '1')).toEqual([['m1', 'ann', 'none']]);
    expect(log('--verdict', 'maybe')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('unknown outcome "maybe"'),
    });
    expect(log('--user', 'nobody').stdout).toBe('Nothing that arrived fits.\n');
  });

  test('fleet log finds records of a machine whose clock is a day off by the clock of the server, and warns about it', async () => {
    const ground = newGround();
    write(ground, 'a', ['deny'], -24 * HOUR_MS);
    const real = Date.now.bind(Date);
    vi.spyOn(Date, 'now').mockImplementation(() => real() - 24 * HOUR_MS);
    await sent(ground, 'm1', 'ann');
    vi.restoreAllMocks();
    expect(records('--since', '1h')).toHaveLength(1);
    expect(log('--since', '1h').stdout).toMatch(/^ann@m1 {2}\(its clock: 1440 min behind/);
    // Control: a record that is really a day old and has a correct clock is not in the last hour.
    const late = newGround();
    write(late, 'b', ['deny'], -24 * HOUR_MS);
    await sent(late, 'm2', 'bob');
    expect(records('--since', '1h')).toHaveLength(1);
    expect(records()).toHaveLength(2);
  });

  test('fleet log shows records from a copied journal once, with a warning', async () => {
    const [first, second] = [newGround(), newGround()];
    write(first, 'a', ['deny', 'none']);
    await sent(first, 'm1', 'ann');
    cpSync(join(first.folder, 'a.jsonl'), join(second.folder, 'a.jsonl'));
    await sent(second, 'm2', 'ann');
    expect(records()).toHaveLength(2);
    expect(log().stderr).toContain(
      'a record of ann@m1 came from ann@m2 as well: a journal was copied. It is shown once.',
    );
  });

  test('`anyhook view --from` shows records as they arrive and leaves no files behind', async () => {
    const ground = newGround();
    write(ground, 'a', ['deny']);
    await sent(ground, 'm1', 'ann');
    const folders = () => readdirSync(tmpdir()).filter((name) => name.startsWith('anyhook-fleet-view-'));
    const before = folders();
    const child = spawn(process.execPath, [ANYHOOK, 'view', '--from', server.address, '--no-open'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      const [address] = (await once(createInterface(child.stdout), 'line')) as [string];
      const { origin, hash } = new URL(address);
      const state = async () => {
        const answer = await fetch(`${origin}/api/state`, { headers: { 'x-anyhook-token': hash.slice(1) } });
        return (await answer.json()) as { sessions: { key: string; fires?: number }[] };
      };
      const until = async (keys: readonly string[]) => {
        const last = Date.now() + 30_000;
        for (;;) {
          const { sessions } = await state();
          const found = sessions.map(({ key }) => key).toSorted();
          if (JSON.stringify(found) === JSON.stringify(keys) || Date.now() > last) return found;
          await sleep(200);
        }
      };
      expect(await until(['m1.ann.a'])).toEqual(['m1.ann.a']);
      const other = newGround();
      write(other, 'b', ['none']);
      await sent(other, 'm2', 'bob');
      expect(await until(['m1.ann.a', 'm2.bob.b'])).toEqual(['m1.ann.a', 'm2.bob.b']);
      const chain = await fetch(`${origin}/api/chain?key=m1.ann.a`, {
        headers: { 'x-anyhook-token': hash.slice(1) },
      });
      expect(await chain.json()).toMatchObject({ isSound: true, records: 1 });
    } finally {
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
    expect(folders()).toEqual(before);
  });
});

test('`anyhook view --from` explains how to install @anyhook/fleet if it is missing', () => {
  const root = mkdtempSync(join(tmpdir(), 'anyhook-alone-'));
  try {
    const from = join(import.meta.dirname, '../../../anyhook');
    for (const name of ['bin', 'dist', 'package.json'])
      cpSync(join(from, name), join(root, name), { recursive: true });
    const installed = join(from, '../../node_modules');
    mkdirSync(join(root, 'node_modules'));
    for (const name of readdirSync(installed).filter((one) => one !== '@anyhook' && one !== 'anyhook'))
      symlinkSync(join(installed, name), join(root, 'node_modules', name));
    const { status, stderr } = spawnSync(
      process.execPath,
      [join(root, 'bin/anyhook.cjs'), 'view', '--from', 'nats://127.0.0.1:1'],
      { encoding: 'utf8', cwd: root, env: { ...process.env, PATH: '/usr/bin:/bin' } },
    );
    expect([status, stderr]).toEqual([2, expect.stringContaining('npm i -g @anyhook/fleet')]);
  } finally {
    removeTree(root);
  }
});
