/** `anyhook serve`: hooks for a program in any language. */

import { once } from 'node:events';
import { printJsonLine } from '../console/print.ts';
import { UsageError } from '../console/usage.ts';
import type { Define } from './commands.ts';

interface Options {
  readonly socket?: string;
  readonly http?: string | true;
}

export const define: Define = (command, done) => {
  command
    .option('--socket <path>', 'Listen on a Unix socket or named pipe instead of standard input')
    .option('--http [port]', 'Listen on the loopback address; prints address and token as JSON')
    .addHelpText(
      'after',
      '\nReads one JSON-RPC request per line and writes one answer per line, until its input ends.\nANYHOOK_TOKEN sets the token of --http. Exit 0: the input has ended. Exit 2: wrong use.',
    )
    .action(async (options: Options) => done(await serve(options)));
};

const log = (text: string): void => void process.stderr.write(text);

async function serve({ socket, http }: Options): Promise<number> {
  if (socket !== undefined && http !== undefined)
    throw new UsageError('serve: --socket and --http exclude each other. Give one of them.');
  if (socket !== undefined)
    return listen(async () => (await import('../serve/socket.ts')).serveSocket(socket, log));
  if (http !== undefined) return listen(() => serveOverHttp(http));
  if (process.stdin.isTTY)
    throw new UsageError(
      'serve: a program starts this command and writes requests to its input. See docs/serve.md',
    );
  const { serveStreams } = await import('../serve/streams.ts');
  await serveStreams({ input: process.stdin, output: process.stdout, log });
  return 0;
}

async function serveOverHttp(given: string | true) {
  const port = given === true ? 0 : Number(given);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new UsageError(`serve: ${JSON.stringify(given)} is not a port. Give a number from 0 to 65535.`);
  const token = process.env['ANYHOOK_TOKEN'];
  if (token === '') throw new UsageError('serve: ANYHOOK_TOKEN is empty. Set a secret, or unset it.');
  const { serveHttp } = await import('../serve/http.ts');
  const server = await serveHttp({ port, log, ...(token !== undefined && { token }) });
  printJsonLine({ url: server.url, ...(token === undefined && { token: server.token }) });
  return server;
}

async function listen(open: () => Promise<{ close(): Promise<void> }>): Promise<number> {
  const server = await open().catch((error: Error) => {
    throw new UsageError(`serve: ${error.message}`);
  });
  await Promise.race(['SIGINT', 'SIGTERM'].map((signal) => once(process, signal)));
  await server.close();
  return 0;
}
