#!/usr/bin/env node
/**
 * `npm run fleet:demo`: rolls out a policy to three developers with three agents and shows the combined log. Removes
 * everything at the end.
 */

import { paintFor } from 'anyhook/views';
import { makeDemoFolders } from './demo/folders.ts';
import { hasServer } from './demo/nats-server.ts';
import { play } from './demo/play.ts';

if (hasServer) {
  const paint = paintFor(process.stdout, process.env);
  process.stdout.on('error', () => {}); // Clean up even if the reader closes the pipe early (`| head`).
  const folders = makeDemoFolders();
  const stopped = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopped.abort());
  try {
    await play({
      folders,
      paint,
      print: (line) => void process.stdout.write(`${line}\n`),
      signal: stopped.signal,
    });
  } catch (error) {
    if (!stopped.signal.aborted) throw error;
    process.exitCode = 130;
  } finally {
    folders.remove();
  }
} else {
  process.stderr.write(
    'fleet:demo: nats-server is not here. It is one program; Debian and Ubuntu: apt-get install nats-server, macOS: brew install nats-server\n',
  );
  process.exitCode = 2;
}
