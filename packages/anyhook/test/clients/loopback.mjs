// Runs a program in a network of its own that has nothing but loopback: node loopback.mjs '{"<port>":"<socket>"}' <program> …
// Each port leads through a socket file to the same port of the machine outside.

import { spawn, spawnSync } from 'node:child_process';
import { createServer, connect } from 'node:net';

const [doors = '{}', program = '', ...args] = process.argv.slice(2);
spawnSync('ip', ['link', 'set', 'lo', 'up'], { env: { PATH: '/usr/sbin:/sbin:/usr/bin:/bin' } });
for (const [port, socket] of Object.entries(JSON.parse(doors)))
  await new Promise((ready) => {
    createServer((here) => {
      const there = connect(socket);
      here.pipe(there).pipe(here);
      for (const end of [here, there]) end.on('error', () => (here.destroy(), there.destroy()));
    }).listen(Number(port), '127.0.0.1', () => ready(undefined));
  });
const child = spawn(program, args, { stdio: 'inherit' });
process.on('SIGTERM', () => child.kill('SIGKILL'));
child.on('exit', (code, signal) => process.exit(code ?? (signal === null ? 1 : 137)));
child.on('error', () => process.exit(127));
