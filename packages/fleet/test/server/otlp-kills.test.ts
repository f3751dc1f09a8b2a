/**
 * Kills `ship` repeatedly while its collector is often unavailable: no record is lost, and duplicates have the same
 * hash.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { compared } from '../fixtures/centre.ts';
import { startCollector, unwrapped } from '../fixtures/collector.ts';
import { draft, makeGround, PROGRAM } from '../fixtures/ground.ts';

const SHARE = Number(process.env['ANYHOOK_FLEET_SHARE'] ?? '1');
const KILLS = Math.ceil(30 * SHARE);

test(
  'repeated kills lose no record at a collector, and duplicates count once',
  { timeout: 240_000 },
  async () => {
    const ground = makeGround();
    const collector = await startCollector();
    let asked = 0;
    collector.misbehave = (_, response) => {
      if (++asked % 7 !== 0) return false;
      if (asked % 2 === 0) response.writeHead(503, { 'retry-after': '0' }).end();
      else response.destroy();
      return true;
    };
    const { folder, heads } = ground;
    const where = ['--machine', 'm1', '--user', 'ann', '--journal', folder, '--heads', heads];
    const ship = (...more: string[]) => {
      const words = [PROGRAM, 'ship', '--otlp', collector.endpoint, ...where, ...more];
      return spawn(process.execPath, words, { stdio: 'ignore' });
    };
    const journal = ground.journal('a');
    let isWriting = true;
    let written = 0;
    const writer = (async () => {
      while (isWriting) {
        journal.write(draft('a', ++written));
        await sleep(5);
      }
    })();
    try {
      for (let kill = 0; kill < KILLS; kill++) {
        const before = collector.came.length;
        const child = ship();
        const ended = once(child, 'exit');
        // Wait until it has sent something, because a kill during the start would test nothing.
        for (const last = Date.now() + 20_000; collector.came.length === before && Date.now() < last;)
          await sleep(20);
        await sleep(Math.random() * 60);
        child.kill('SIGKILL');
        await ended;
      }
      isWriting = false;
      await writer;
      journal.close();
      await once(ship('--once'), 'exit');
      const hashes = unwrapped(collector.taken, 'logs').flatMap(
        ({ attributes }) => (attributes['anyhook.record.hash'] as string | undefined) ?? [],
      );
      const found = compared(ground.hashes(), hashes);
      const fires = unwrapped(collector.taken, 'metrics').findLast(({ name }) => name === 'anyhook.fires');
      const { data_points: points } = fires!['sum'] as { data_points: { as_int: number }[] };
      process.stdout.write(
        `collector: ${KILLS} kills of ship, every 7th request refused, ${written} records; lost ${found.lost}, sent again ${found.doubled}, counted ${points[0]!.as_int}\n`,
      );
      expect([found.lost, points[0]!.as_int]).toEqual([0, written]);
    } finally {
      isWriting = false;
      await writer;
      collector.close();
      ground.close();
    }
  },
);
