/** The HTTP server of the view: loopback only, one token, and no action but the answer to a question. */

import { randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pageFiles, SERVED_POLICY, servedDocument } from './page-files.ts';
import { TOKEN_HEADER } from './wire.ts';

export const LOOPBACK = '127.0.0.1';

/** Returns a JSON value; undefined if nothing was found. */
export type Route = (query: URLSearchParams) => unknown;
/** Writes lines until the page disconnects. */
export type StreamRoute = (query: URLSearchParams, write: (value: unknown) => void) => () => void;

/** What a page gets for an action. */
export interface ActionReply {
  readonly status: number;
  readonly value: object;
}
/** Gets the JSON body of a POST request. */
export type PageAction = (body: unknown) => ActionReply;

export interface ViewRoutes {
  readonly answers: Readonly<Record<string, Route>>;
  readonly streams: Readonly<Record<string, StreamRoute>>;
  readonly actions?: Readonly<Record<string, PageAction>>;
}

export interface RunningServer {
  readonly port: number;
  readonly token: string;
  /** Lets the process exit while it listens. */
  unref(): void;
  close(): Promise<void>;
}

const HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': SERVED_POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
};
/** Interval of heartbeats, so that a page notices when its server is gone. */
const BEAT_MS = 10_000;
/** Maximum buffered data for a page that does not read. Above it, the page reconnects. */
const MOST_WAITING = 8 * 1024 * 1024;

export async function serveView({ answers, streams, actions = {} }: ViewRoutes): Promise<RunningServer> {
  const { script, style } = pageFiles();
  const token = randomBytes(32).toString('base64url');
  const files: Readonly<Record<string, readonly [type: string, text: string]>> = {
    '/': ['text/html; charset=utf-8', servedDocument()],
    '/page.js': ['text/javascript; charset=utf-8', script],
    '/page.css': ['text/css; charset=utf-8', style],
    '/favicon.ico': ['image/x-icon', ''],
  };
  const server = createServer((request, response) => {
    void answer(request, response).catch((error: unknown) => {
      if (!response.headersSent) say(response, 500, { error: `internal error: ${String(error)}` });
      else response.destroy();
    });
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', `http://${LOOPBACK}`);
    const action = Object.hasOwn(actions, pathname) ? actions[pathname] : undefined;
    const refusal = refusalOf(request, portOf(server), action === undefined ? 'read' : 'act');
    if (refusal !== undefined) return say(response, ...refusal);
    const file = Object.hasOwn(files, pathname) ? files[pathname] : undefined;
    if (file !== undefined) return send(response, 200, ...file);
    if (!isToken(request.headers[TOKEN_HEADER], token))
      return say(response, 401, { error: 'this needs the token of the address that anyhook view printed' });
    if (action !== undefined) {
      const { status, value } = await actOn(request, action);
      return say(response, status, value);
    }
    const stream = Object.hasOwn(streams, pathname) ? streams[pathname] : undefined;
    if (stream !== undefined) return flow(response, (write) => stream(searchParams, write));
    const route = Object.hasOwn(answers, pathname) ? answers[pathname] : undefined;
    const value = await route?.(searchParams);
    say(response, value === undefined ? 404 : 200, value ?? { error: 'not found' });
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, LOOPBACK, resolve);
  });
  return {
    port: portOf(server),
    token,
    unref: () => void server.unref(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const portOf = (server: Server): number => (server.address() as AddressInfo).port;

/** Refuses other host names, other origins and other methods. */
function refusalOf(
  { method, headers }: IncomingMessage,
  port: number,
  what: 'read' | 'act',
): readonly [status: number, value: object] | undefined {
  const names = [`${LOOPBACK}:${port}`, `localhost:${port}`];
  if (!names.includes(headers.host ?? ''))
    return [421, { error: `this server is ${names.join(' or ')}, and nobody else's` }];
  const { origin } = headers;
  const site = headers['sec-fetch-site'];
  if (origin !== undefined && !names.some((name) => origin === `http://${name}`))
    return [403, { error: 'requests from another origin are refused' }];
  if (
    site !== undefined &&
    site !== 'same-origin' &&
    site !== 'none' &&
    headers['sec-fetch-mode'] !== 'navigate'
  )
    return [403, { error: 'requests from another site are refused' }];
  if (what === 'act') return refusalOfAction(method, headers);
  if (method !== 'GET' && method !== 'HEAD')
    return [405, { error: 'the view only shows this: for anything else it shows the command to type' }];
  return undefined;
}

/** A browser names the origin of every POST, and no form of another site can send JSON. */
function refusalOfAction(
  method: string | undefined,
  headers: IncomingMessage['headers'],
): readonly [status: number, value: object] | undefined {
  if (method !== 'POST') return [405, { error: 'an answer is sent with POST' }];
  if (headers.origin === undefined) return [403, { error: 'requests without an origin are refused' }];
  if (!/^application\/json(?:;|$)/.test(headers['content-type'] ?? ''))
    return [415, { error: 'an answer is JSON' }];
  return undefined;
}

const MOST_BODY_BYTES = 64 * 1024;

async function actOn(request: IncomingMessage, action: PageAction): Promise<ActionReply> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MOST_BODY_BYTES) return { status: 413, value: { error: 'the answer is too long' } };
    chunks.push(chunk);
  }
  let body: unknown;
  try {
    body = JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    return { status: 400, value: { error: 'the body is not JSON' } };
  }
  return action(body);
}

function isToken(given: string | string[] | undefined, token: string): boolean {
  const [one, other] = [Buffer.from(String(given ?? '')), Buffer.from(token)];
  return one.length === other.length && timingSafeEqual(one, other);
}

function flow(response: ServerResponse, open: (write: (value: unknown) => void) => () => void): void {
  response.writeHead(200, { ...HEADERS, 'content-type': 'application/x-ndjson; charset=utf-8' });
  response.flushHeaders();
  const close = open((value) => {
    if (response.writableLength > MOST_WAITING) response.destroy();
    else response.write(`${JSON.stringify(value)}\n`);
  });
  const beat = setInterval(() => response.write('\n'), BEAT_MS);
  beat.unref();
  response.on('close', () => {
    clearInterval(beat);
    close();
  });
}

const say = (response: ServerResponse, status: number, value: unknown): void =>
  send(response, status, 'application/json; charset=utf-8', JSON.stringify(value));

function send(response: ServerResponse, status: number, type: string, text: string): void {
  response.writeHead(status, { ...HEADERS, 'content-type': type, 'content-length': Buffer.byteLength(text) });
  response.end(text);
}
