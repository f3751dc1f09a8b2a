// A thread of the isolated process that works while the main thread is blocked. It kills the process, and
// everything it started, if the host is gone or memory is used up.

import { writeSync } from 'node:fs';
import { Socket } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';
import { residentBytes } from '../resident-bytes.mjs';

const { fd, largestBytes } = /** @type {{ fd: number, largestBytes: number }} */ (workerData);
const LOOK_MS = 500;

const line = new Socket({ fd, readable: true, writable: false });
line.on('error', end).on('close', end).resume();
// V8's heap limit does not include buffers; this one does.
setInterval(() => {
  if (residentBytes() > largestBytes) {
    writeSync(2, `the process uses more than ${Math.round(largestBytes / 2 ** 20)} MB of memory\n`);
    end();
  }
}, LOOK_MS);
parentPort?.postMessage('armed');

function end() {
  try {
    process.kill(-process.pid, 'SIGKILL');
  } catch {
    process.kill(process.pid, 'SIGKILL');
  }
}
