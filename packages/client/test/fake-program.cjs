/**
 * Stands in for `anyhook bridge` and `anyhook daemon run`: writes down how it was started and does what `behaviour.json`
 * beside it says.
 */
const { spawn } = require('node:child_process');
const fs = require('node:fs');
const net = require('node:net');
const { join } = require('node:path');

/** @type {import('./world.ts').Behaviour} */
const behaviour = JSON.parse(fs.readFileSync(join(__dirname, 'behaviour.json'), 'utf8'));
const args = process.argv.slice(2);
/** @param {object} more */
const note = (more) =>
  fs.appendFileSync(
    join(__dirname, 'calls'),
    `${JSON.stringify({ args, env: process.env, cwd: process.cwd(), pid: process.pid, ...more })}\n`,
  );

if (args[0] === 'daemon') daemon();
else if (behaviour.skipsInput === true) end('');
else end(fs.readFileSync(0).toString('latin1'));

/** @param {string} stdin */
function end(stdin) {
  note({ stdin });
  if (behaviour.background === true)
    spawn(process.execPath, ['-e', 'setTimeout(() => {}, 30_000)'], {
      stdio: 'inherit',
      detached: true,
    }).unref();
  if (behaviour.signal !== undefined) process.kill(process.pid, behaviour.signal);
  process.stderr.write(behaviour.stderr ?? '');
  process.stdout.write(behaviour.stdout ?? 'x'.repeat(behaviour.bytes ?? 0));
  process.exitCode = behaviour.code ?? 0;
  if (behaviour.waitMs !== undefined) setTimeout(() => {}, behaviour.waitMs);
}

/** Answers every request with the process id of this daemon. */
function daemon() {
  const files =
    process.platform === 'linux'
      ? fs.readdirSync('/proc/self/fd').toSorted((a, b) => Number(a) - Number(b))
      : [];
  const targets = files.flatMap((file) => {
    try {
      return [fs.readlinkSync(`/proc/self/fd/${file}`)];
    } catch {
      return []; // the folder that was just read
    }
  });
  note({ openFiles: targets });
  const socket = behaviour.socket ?? join(__dirname, 'state/socket');
  switch (behaviour.daemon) {
    case 'crash':
      process.exitCode = 1;
      return;
    case 'leave':
      return;
    case 'hang':
      setTimeout(() => {}, 60_000);
      return;
  }
  const server = net.createServer((client) => {
    let bytes = Buffer.alloc(0);
    client.on('error', () => {});
    client.on('data', (chunk) => {
      bytes = Buffer.concat([bytes, chunk]);
      while (bytes.length >= 4 && bytes.length >= 4 + bytes.readUInt32BE(0)) {
        const [type, length] = [bytes[4], bytes.readUInt32BE(0)];
        bytes = bytes.subarray(4 + bytes.readUInt32BE(0));
        if (type === 1) client.write(Buffer.from([0, 0, 0, 1, 2]));
        if (type === 4)
          client.write(answer(behaviour.daemonEcho === true ? String(length) : String(process.pid)));
      }
    });
  });
  setTimeout(() => {
    if (behaviour.socket === undefined) fs.rmSync(socket, { force: true });
    server.listen(socket, removeLocks);
  }, behaviour.daemonWaitMs ?? 0);
}

function removeLocks() {
  const state = join(__dirname, behaviour.socket === undefined ? 'state' : 'bin');
  for (const name of fs.readdirSync(state)) if (name.startsWith('starting')) fs.rmSync(join(state, name));
}

/** @param {string} out */
function answer(out) {
  const bytes = Buffer.alloc(4 + 1 + 1 + 4 + out.length + 4);
  bytes.writeUInt32BE(bytes.length - 4, 0);
  bytes[4] = 6;
  bytes.writeUInt32BE(out.length, 6);
  bytes.write(out, 10);
  return bytes;
}
