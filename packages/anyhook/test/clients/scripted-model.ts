/**
 * A model server on loopback that plays a script: it plays step i when the history has i assistant turns, and answers
 * "done" after the last. Implements Anthropic's Messages API with JSON and streaming.
 */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Step =
  | { readonly text: string }
  | { readonly tool: string; readonly input: Readonly<Record<string, unknown>> };

interface Asked {
  readonly model?: string;
  readonly stream?: boolean;
  readonly messages?: readonly { readonly role: string; readonly content: unknown }[];
  readonly tools?: readonly unknown[];
}

export class ScriptedModel {
  readonly #server: Server;
  readonly #script: readonly Step[];
  /** Bodies of all requests that offered tools, in order. */
  readonly asked: Asked[] = [];
  #calls = 0;

  constructor(script: readonly Step[]) {
    this.#script = script;
    this.#server = createServer((request, response) => void this.#take(request, response));
  }
  async open(): Promise<string> {
    await new Promise<void>((ready) => this.#server.listen(0, '127.0.0.1', ready));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }
  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const path = new URL(request.url ?? '/', 'http://127.0.0.1').pathname;
    if (request.method === 'POST' && path.endsWith('/count_tokens'))
      return send(response, { input_tokens: 10 });
    if (request.method !== 'POST' || !path.endsWith('/messages')) return send(response, {});
    this.#say(JSON.parse(Buffer.concat(chunks).toString()) as Asked, response);
  }

  #say(asked: Asked, response: ServerResponse): void {
    const isSideJob = (asked.tools ?? []).length === 0; // Side requests, such as titles, do not advance the script.
    if (!isSideJob) this.asked.push(asked);
    const turns = (asked.messages ?? []).filter(({ role }) => role === 'assistant').length;
    const step = isSideJob ? { text: 'a title' } : (this.#script[turns] ?? { text: 'done' });
    const block =
      'text' in step
        ? { type: 'text', text: step.text }
        : { type: 'tool_use', id: `toolu_${++this.#calls}`, name: step.tool, input: step.input };
    const message = {
      id: `msg_${++this.#calls}`,
      type: 'message',
      role: 'assistant',
      model: asked.model,
      content: [block],
      stop_reason: 'text' in step ? 'end_turn' : 'tool_use',
      stop_sequence: null,
      usage: {
        input_tokens: 10,
        output_tokens: 5,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 0,
      },
    };
    if (asked.stream === true) stream(response, message, block);
    else send(response, message);
  }
}

function send(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

type Block = { readonly type: string; readonly text?: string; readonly input?: unknown };
function stream(
  response: ServerResponse,
  message: { stop_reason: string; usage: unknown },
  block: Block,
): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  const event = (type: string, more: object) =>
    void response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`);
  const isText = block.type === 'text';
  const delta = isText
    ? { type: 'text_delta', text: block.text }
    : { type: 'input_json_delta', partial_json: JSON.stringify(block.input) };
  event('message_start', { message: { ...message, content: [], stop_reason: null } });
  event('content_block_start', {
    index: 0,
    content_block: { ...block, ...(isText ? { text: '' } : { input: {} }) },
  });
  event('content_block_delta', { index: 0, delta });
  event('content_block_stop', { index: 0 });
  event('message_delta', {
    delta: { stop_reason: message.stop_reason, stop_sequence: null },
    usage: { output_tokens: 5 },
  });
  event('message_stop', {});
  response.end();
}
