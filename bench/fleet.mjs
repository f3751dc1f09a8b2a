/**
 * `npm run bench:fleet`: what `ship` sends beside what the same client sends raw, a backlog of 1 GB, and how many machines one
 * server carries. Needs nats-server. `--write` puts the table into docs/fleet.md; `--small` is a tenth of everything.
 */

import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { makeRecord, openJournal } from '../packages/anyhook/dist/internals.js';
import { hasServer, startServer } from '../packages/fleet/dist/demo/nats-server.js';
import { median } from './measure.mjs';

if (!hasServer) {
  process.stderr.write('bench:fleet: nats-server is not here; Debian: apt-get install nats-server\n');
  process.exit(2);
}
const SHARE = process.argv.includes('--small') ? 0.1 : 1;
const ROUNDS = 7;
const PROGRAM = fileURLToPath(new URL('../packages/fleet/bin/anyhook-fleet.mjs', import.meta.url));
const RAW = fileURLToPath(new URL('fleet/raw.mjs', import.meta.url));
const MACHINES = fileURLToPath(new URL('fleet/machines.mjs', import.meta.url));
const DOCS = fileURLToPath(new URL('../docs/fleet.md', import.meta.url));
const run = promisify(execFile);

const root = mkdtempSync(join(tmpdir(), 'anyhook-fleet-bench-'));

/** A journal of real records; about 1.2 kilobytes each. @param {string} name @param {number} bytes */
function makeBacklog(name, bytes) {
  const [folder, heads] = [join(root, name, 'journal'), join(root, name, 'heads')];
  for (const place of [folder, heads]) mkdirSync(place, { recursive: true, mode: 0o700 });
  const text = 'the quick brown fox jumps over the lazy dog, '.repeat(10);
  let records = 0;
  for (let session = 0; sizeOf(folder, session) < bytes; session++) {
    const id = `s${session}`;
    const journal = openJournal({ folder, heads, session: id, env: {} });
    // Many sessions, as a machine has them.
    for (let i = 0; i < 20_000 && (i % 500 !== 0 || sizeOf(folder, session + 1) < bytes); i++, records++)
      journal.write(
        makeRecord(
          /** @type {any} */ ({
            event: {
              name: 'tool.before',
              payload: { tool: 'shell', input: { command: `npm test ${i}`, text } },
              ids: { session: id, call: `call_${i}` },
              scene: { cwd: '/src/project' },
              round: 1,
            },
            outcome: {
              verdict: 'none',
              reasons: [],
              flow: {},
              said: [],
              given: [],
              changed: [],
              voided: [],
              lost: [],
              unmatched: [],
              aborted: false,
              runs: [],
            },
            hookOf: () => undefined,
            host: { name: 'claude-code', version: '2.1' },
            origin: { machine: 'laptop-1', user: 'ann', policy: 3 },
          }),
        ),
      );
    journal.close();
  }
  return { folder, heads, records, bytes: sizeOf(folder, Infinity) };
}

/** @param {string} folder @param {number} sessions */
function sizeOf(folder, sessions) {
  let bytes = 0;
  for (let session = 0; session < sessions; session++) {
    const stats = statSync(join(folder, `s${session}.jsonl`), { throwIfNoEntry: false });
    if (stats === undefined) break;
    bytes += stats.size;
  }
  return bytes;
}

/** @param {(address: string) => Promise<number>} act */
async function withFreshStream(act) {
  const server = await startServer();
  try {
    await run(process.execPath, [PROGRAM, 'stream', '--nats', server.address]);
    return await act(server.address);
  } finally {
    await server.close();
  }
}

/** @param {string} file @param {string[]} args What it used until its end, looked at ten times a second. */
async function watched(file, args) {
  const started = performance.now();
  const child = spawn(process.execPath, [file, ...args], { stdio: ['ignore', 'inherit', 'inherit'] });
  const ended = once(child, 'exit');
  let [cpuMs, peakMb] = [0, 0];
  const timer = setInterval(() => {
    try {
      const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1].split(' ');
      cpuMs = (Number(fields[11]) + Number(fields[12])) * 10;
      const [, kb] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8')) ?? [];
      if (kb !== undefined) peakMb = Number(kb) / 1024;
    } catch {
      // It has just ended.
    }
  }, 100);
  const [code] = await ended;
  clearInterval(timer);
  if (code !== 0) throw new Error(`${file} ended with ${code}`);
  return { ms: performance.now() - started, cpuMs, peakMb };
}

/** @param {{ folder: string, heads: string }} places @param {string} address */
const ship = ({ folder, heads }, address) => {
  rmSync(join(folder, '.shipped'), { recursive: true, force: true });
  return watched(PROGRAM, [
    'ship',
    '--once',
    '--nats',
    address,
    '--journal',
    folder,
    '--heads',
    heads,
    '--machine',
    'm1',
    '--user',
    'ann',
  ]);
};

/** @type {[string, string, string][]} */
const rows = [];
try {
  const some = makeBacklog('some', 100e6 * SHARE);
  const took = { ours: /** @type {number[]} */ ([]), raw: /** @type {number[]} */ ([]) };
  for (let round = 0; round < ROUNDS; round++)
    for (const who of round % 2 === 0 ? ['ours', 'raw'] : ['raw', 'ours'])
      await withFreshStream(async (address) =>
        took[who].push(
          who === 'ours' ? (await ship(some, address)).ms : (await watched(RAW, [some.folder, address])).ms,
        ),
      );
  const ratio = median(took.ours.map((ms, at) => took.raw[at] / ms));
  const perSecond = (/** @type {number} */ ms) => Math.round(some.records / (ms / 1000)).toLocaleString('en');
  rows.push([
    'records per second, `ship` beside the same client sending the same bytes and doing nothing else',
    `${perSecond(median(took.ours))} against ${perSecond(median(took.raw))}: ${ratio.toFixed(2)} ×`,
    '≥ 0.6 ×',
  ]);
  rmSync(join(root, 'some'), { recursive: true });

  const backlog = makeBacklog('backlog', 1e9 * SHARE);
  await withFreshStream(async (address) => {
    const { ms, cpuMs, peakMb } = await ship(backlog, address);
    rows.push(
      [
        `catching up ${(backlog.bytes / 1e9).toFixed(2)} GB, ${backlog.records.toLocaleString('en')} records`,
        `${(ms / 1000).toFixed(1)} s, ${Math.round(backlog.bytes / 1e6 / (ms / 1000))} MB/s`,
        '–',
      ],
      ['processor time of `ship` for it', `${(cpuMs / 1000).toFixed(1)} s`, '–'],
      ['memory of `ship`, at most', `${Math.round(peakMb)} MB`, '–'],
    );
    return 0;
  });
  rmSync(join(root, 'backlog'), { recursive: true });

  for (const machines of [100, 300, 1000, 3000].map((count) => Math.ceil(count * SHARE)))
    await withFreshStream(async (address) => {
      const { stdout } = await run(process.execPath, [MACHINES, address, String(machines)]);
      const { sent, p50, p99, failed } = JSON.parse(stdout);
      rows.push([
        `${machines.toLocaleString('en')} machines on one server, each sending ten records every five seconds`,
        `${sent.toLocaleString('en')} chunks, kept after ${p50.toFixed(0)} ms (p99 ${p99.toFixed(0)} ms), ${failed} failed`,
        '–',
      ]);
      await sleep(500);
      return 0;
    });
} finally {
  rmSync(root, { recursive: true, force: true });
}

const machine = `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model.split(' ').slice(0, 2).join(' ')}, ${Math.round(totalmem() / 2 ** 30)} GiB, ${process.platform}; ${new Date().toISOString().slice(0, 10)}; server and clients on the same machine.`;
const table = [
  machine,
  '',
  '| what | measured | target |',
  '| --- | --- | --- |',
  ...rows.map((row) => `| ${row.join(' | ')} |`),
].join('\n');
console.log(table);
if (process.argv.includes('--write')) {
  const marks = ['<!-- measured -->\n', '\n<!-- /measured -->'];
  const [before, rest] = readFileSync(DOCS, 'utf8').split(marks[0]);
  writeFileSync(DOCS, `${before}${marks[0]}${table}${marks[1]}${rest.split(marks[1])[1]}`);
}
