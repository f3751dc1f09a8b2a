#!/usr/bin/env node
/** `npm run fleet:demo`: a policy for three developers with three agents, and what became of it, in one log. Nothing is left behind. */
import { paintFor } from 'anyhook/views';
import { makeDemoFolders } from './demo/folders.ts';
import { hasServer } from './demo/nats-server.ts';
import { play } from './demo/play.ts';

if (hasServer) {
  const paint = paintFor(process.stdout, process.env);
  process.stdout.on('error', () => {}); // a reader that has seen enough (`| head`) is no reason to leave things behind
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
