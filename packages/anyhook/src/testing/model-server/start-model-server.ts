/**
 * A model provider on loopback that plays a script, for real agents, provider packages and the probe of
 * `doctor`.
 */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as immediate, setTimeout as sleep } from 'node:timers/promises';
import type { Fields } from '../../events/effects.ts';
import { isFields } from '../../events/fields.ts';
import { PROTOCOLS, type ServerRoute, routeOf } from './routes.ts';
import { type ModelScript, scriptFor } from './script.ts';
import { openTurns, type ServerTurn } from './turn.ts';

export interface ModelServerOptions {
  /** Default: one call of the client's shell tool with `command`, then "done". */
  readonly script?: ModelScript;
  readonly command?: string;
  /** Value of `{{CWD}}` in the script. */
  readonly cwd?: string;
  /** Ends every conversation after this many scripted turns. */
  readonly maxTurns?: number;
  /** Default: a free port. */
  readonly port?: number;
  readonly onRequest?: (request: RecordedRequest) => void;
}
export interface RecordedRequest {
  readonly kind: ServerRoute['kind'];
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed, or `{ unparsed }` if it is not JSON. */
  readonly body: Fields;
  /** The scripted answer, if the script was used. */
  readonly turn?: ServerTurn;
}
export interface ModelServer {
  readonly url: string;
  readonly port: number;
  /** All requests so far, oldest first. */
  readonly requests: readonly RecordedRequest[];
  close(): Promise<void>;
}

export async function startModelServer(options: ModelServerOptions = {}): Promise<ModelServer> {
  const { command = 'echo hi', cwd = process.cwd(), maxTurns = 200, port = 0 } = options;
  const script = scriptFor(options.script ?? [{ shell: command }, { text: 'done' }], cwd);
  const turnFor = openTurns(script, maxTurns);
  const requests: RecordedRequest[] = [];

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url: path = '/' } = request;
    const body = parsed(await bodyText(request));
    const route = routeOf(method, new URL(path, 'http://127.0.0.1').pathname);
    const note = (turn?: ServerTurn) => {
      const { kind } = route;
      const recorded = { kind, method, path, headers: flat(request.headers), body, ...(turn && { turn }) };
      requests.push(recorded);
      options.onRequest?.(recorded);
    };
    if ('status' in route) {
      note();
      return sendJson(response, route.answer, route.status);
    }
    const asked = PROTOCOLS[route.kind].asked(body);
    const turn = turnFor(asked);
    note(turn);
    await play(response, turn, {
      ...route,
      model: route.model ?? asked.model,
      delivery:
        route.delivery === 'as-asked' ? (body['stream'] === true ? 'streamed' : 'whole') : route.delivery,
    });
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else sendJson(response, { error: { message: String(error) } }, 500);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const bound = (server.address() as AddressInfo).port; // the server listens on a port, not on a path
  return {
    url: `http://127.0.0.1:${bound}`,
    port: bound,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface Delivery {
  readonly kind: keyof typeof PROTOCOLS;
  readonly model: string;
  readonly delivery: 'whole' | 'streamed' | 'as-asked';
}
async function play(
  response: ServerResponse,
  turn: ServerTurn,
  { kind, model, delivery }: Delivery,
): Promise<void> {
  const protocol = PROTOCOLS[kind];
  if (turn.delayMs !== undefined) await sleep(turn.delayMs);
  if (turn.kind === 'error') return sendJson(response, protocol.error(turn), turn.status, turn.headers);
  const isStreamed = delivery === 'streamed';
  const texts = isStreamed ? protocol.events(turn, model) : [JSON.stringify(protocol.whole(turn, model))];
  response.writeHead(
    200,
    isStreamed
      ? { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' }
      : { 'content-type': 'application/json' },
  );
  if (turn.cut === true) return cut(response, texts.join(''));
  for (const text of texts) {
    response.write(text);
    // Sends the pieces separately, to test clients that assume whole packets.
    if (turn.pieces !== undefined) await immediate();
  }
  response.end();
}

/** Sends half of the text and closes the socket. */
async function cut(response: ServerResponse, text: string): Promise<void> {
  await new Promise((resolve) => response.write(text.slice(0, Math.ceil(text.length / 2)), resolve));
  await sleep(20);
  response.destroy();
}

function sendJson(
  response: ServerResponse,
  body: Fields,
  status: number,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

async function bodyText(request: IncomingMessage): Promise<string> {
  request.setEncoding('utf8');
  let text = '';
  for await (const chunk of request) text += chunk;
  return text;
}

function parsed(text: string): Fields {
  if (text === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    return isFields(value) ? value : { unparsed: text };
  } catch {
    return { unparsed: text };
  }
}

const flat = (headers: IncomingMessage['headers']): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, [value].flat().join(', ')]],
    ),
  );
