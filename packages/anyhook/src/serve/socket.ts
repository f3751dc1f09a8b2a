/** `anyhook serve` on a Unix socket or a named pipe: every connection is a client of its own. */

import { lstatSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { serveStreams } from './streams.ts';

/** Rejects if something listens there already, or if the path is not a socket. Only the user can connect. */
export async function serveSocket(
  path: string,
  log: (text: string) => void,
): Promise<{ close(): Promise<void> }> {
  await removeStale(path);
  const sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
    void serveStreams({ input: socket, output: socket, log }).then(() => socket.end());
  });
  const mask = process.umask(0o077);
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(path, resolve);
    });
  } finally {
    process.umask(mask);
  }
  return {
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A server that was killed leaves its socket, which refuses connections. */
async function removeStale(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return;
  if (!found.isSocket()) throw new Error(`${path} exists and is not a socket`);
  if (await accepts(path)) throw new Error(`another program listens on ${path}`);
  rmSync(path);
}

const accepts = (path: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
