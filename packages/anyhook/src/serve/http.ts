/** `anyhook serve` over HTTP on the loopback address: one request per POST, with a token. */

import { randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ServeConnection } from './connection.ts';
import { failureResponse, MAX_MESSAGE_BYTES, ServeError } from './messages.ts';

const LOOPBACK = '127.0.0.1';

export interface HttpServer {
  readonly url: string;
  readonly token: string;
  close(): Promise<void>;
}

/** Sessions belong to the server: whoever has the token can use them. `port` 0 is any free one. */
export async function serveHttp(options: {
  readonly port: number;
  readonly token?: string;
  readonly log: (text: string) => void;
}): Promise<HttpServer> {
  const { port, token = randomBytes(32).toString('base64url'), log } = options;
  const connection = new ServeConnection({ log });
  const server = createServer((request, response) => {
    const refusal = refusalOf(request, (server.address() as AddressInfo).port, token);
    if (refusal !== undefined) return void reply(response, ...refusal);
    void answer(connection, request, response);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, LOOPBACK, resolve);
  });
  return {
    url: `http://${LOOPBACK}:${(server.address() as AddressInfo).port}/`,
    token,
    async close() {
      connection.abort();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await connection.close();
    },
  };
}

/** A page of another site must not reach the server, even under a name that resolves to the loopback address. */
function refusalOf(
  { method, headers }: IncomingMessage,
  port: number,
  token: string,
): readonly [status: number, value: object] | undefined {
  const names = [`${LOOPBACK}:${port}`, `localhost:${port}`];
  if (!names.includes(headers.host ?? '')) return [421, { error: `Only ${names.join(' and ')} are served.` }];
  if (headers.origin !== undefined) return [403, { error: 'Requests of pages are refused.' }];
  if (!isToken(headers.authorization, token))
    return [401, { error: 'The token is missing or wrong. Send Authorization: Bearer <token>.' }];
  return method === 'POST' ? undefined : [405, { error: 'Send one JSON-RPC request with POST.' }];
}

function isToken(header: string | undefined, token: string): boolean {
  const given = Buffer.from(header ?? '');
  const wanted = Buffer.from(`Bearer ${token}`);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

async function answer(
  connection: ServeConnection,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const gone = new AbortController();
  response.on('close', () => gone.abort());
  try {
    const message = await readBody(request);
    const result = await connection.answer(message, gone.signal);
    reply(response, result === undefined ? 204 : 200, result);
  } catch (error) {
    reply(
      response,
      error instanceof ServeError && error.code === 'too-large' ? 413 : 400,
      failureResponse(null, error),
    );
  }
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_MESSAGE_BYTES) throw new ServeError('too-large', 'The message is larger than 64 MiB.');
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString());
  } catch {
    throw new ServeError('not-json', 'The body is not JSON.');
  }
}

function reply(response: ServerResponse, status: number, value?: object): void {
  if (response.destroyed) return;
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(value === undefined ? undefined : `${JSON.stringify(value)}\n`);
}
