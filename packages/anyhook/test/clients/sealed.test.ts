/** Tests the network namespace of agents: only allowed ports are reachable. */

import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { canSeal, seal } from './sealed.ts';

const ASK = `const { connect } = require('node:net');
Promise.all(process.argv.slice(1).map((port) => new Promise((done) => {
  const socket = connect(Number(port), '127.0.0.1');
  socket.on('data', (data) => (done(String(data)), socket.end()));
  socket.on('error', (error) => done(error.code));
}))).then((said) => console.log(said.join()));`;

test.runIf(canSeal)('an allowed port is reachable, and another port of the same machine is not', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sealed-'));
  const servers = [0, 1].map(() => createServer((socket) => socket.end('here')).listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => new Promise((ready) => server.once('listening', ready))));
  const [open, shut] = servers.map((server) => (server.address() as AddressInfo).port) as [number, number];
  const sealed = await seal(folder, [open]);
  const run = ([file, args]: readonly [string, readonly string[]]) =>
    new Promise((done) => execFile(file, [...args], (_, stdout) => done(stdout.trim())));
  const line = [process.execPath, ['-e', ASK, String(open), String(shut)]] as const;
  expect([await run(line), await run(sealed.line(...line))]).toEqual(['here,here', 'here,ECONNREFUSED']);
  sealed.close();
  for (const server of servers) server.close();
  rmSync(folder, { recursive: true, force: true });
});
