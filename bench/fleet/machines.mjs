// So many machines, each with a connection and a subject of its own, through the place that `ship` sends to.

import { setTimeout as sleep } from 'node:timers/promises';
import { openJetStream } from '../../packages/fleet/dist/ship/jetstream.js';

const EVERY_MS = 5000;
const FOR_MS = 20_000;
const [address = '', count = ''] = process.argv.slice(2);
const line = `${JSON.stringify({ event: 'tool.before', text: 'x'.repeat(1100) })}\n`;
const bytes = Buffer.from(line.repeat(10));
const stopped = new AbortController();
const took = /** @type {number[]} */ ([]);
let failed = 0;

/** @param {number} number */
async function open(number) {
  const source = { machine: `m${number}`, user: 'ann' };
  const options = { server: address, stream: 'ANYHOOK', source, signal: stopped.signal, say: () => {} };
  return (await openJetStream(options))({ seq: undefined, pending: undefined });
}
const places = [];
for (let number = 0; number < Number(count); number += 50)
  places.push(
    ...(await Promise.all(
      Array.from({ length: Math.min(50, Number(count) - number) }, (_, at) => open(number + at)),
    )),
  );

const until = performance.now() + FOR_MS;
await Promise.all(
  places.map(async (place, number) => {
    await sleep(Math.random() * EVERY_MS);
    for (let round = 0; performance.now() < until; round++) {
      const from = round * bytes.length;
      const chunk = {
        kind: 'lines',
        file: 's.jsonl',
        journal: `j${number}`,
        from,
        to: from + bytes.length,
        isWithinLine: false,
        bytes,
      };
      const began = performance.now();
      try {
        await place.send(chunk, place.idOf(chunk));
        took.push(performance.now() - began);
      } catch {
        failed++;
      }
      await sleep(Math.max(0, EVERY_MS - (performance.now() - began)));
    }
  }),
);
await Promise.all(places.map((place) => place.close()));
took.sort((a, b) => a - b);
const at = (/** @type {number} */ share) =>
  took[Math.min(took.length - 1, Math.floor(took.length * share))] ?? 0;
console.log(JSON.stringify({ sent: took.length, p50: at(0.5), p99: at(0.99), failed }));
