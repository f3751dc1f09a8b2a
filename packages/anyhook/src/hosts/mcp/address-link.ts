/** A server over streamable HTTP, by the official SDK's transport. */
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { isFields } from '../../canon/fields.ts';
import { withCause } from '../../canon/thrown.ts';
import { StreamableHTTPClientTransport } from '../../runners/mcp/packed-sdk.ts';
import {
  CLOSED,
  rpcFailure,
  isRequest,
  isResponse,
  requestKey,
  type Message,
  type MessageId,
  responseTo,
} from './message.ts';
import type { ServerLink, ServerListener } from './server-link.ts';

/** The last of a stream may still be on its way through the SDK's parser. */
const SETTLE_MS = 1_000;
/** What the SDK says when it has given a stream up. */
const GIVEN_UP = /Maximum reconnection attempts/;
const RESUMABLE = /(?:^|\n)id:/;

export interface ServerAddress {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

export class AddressLink implements ServerLink {
  readonly #listener: ServerListener;
  readonly #transport: StreamableHTTPClientTransport;
  /** Requests without an answer so far. */
  readonly #open = new Map<string, MessageId>();
  /** Those whose stream has broken off, and can be taken up again. */
  readonly #broken = new Map<string, MessageId>();
  #isClosed = false;

  constructor({ url, headers }: ServerAddress, listener: ServerListener) {
    this.#listener = listener;
    this.#transport = new StreamableHTTPClientTransport(new URL(url), {
      requestInit: { headers: { ...headers } },
      fetch: (target, init) => this.#fetch(target, init),
    });
    this.#transport.onmessage = (message) => {
      if (isResponse(message as Message)) this.#settled((message as { id: MessageId }).id);
      this.#listener.message(message as Message);
    };
    this.#transport.onerror = (error) => {
      if (this.#isClosed) return;
      if (GIVEN_UP.test(error.message))
        for (const id of this.#broken.values()) this.#fail(id, 'the connection broke off');
      else if (error.name !== 'AbortError') this.#listener.trouble(failureText(error));
    };
    void this.#transport.start();
  }

  send(message: Message): void {
    if (isRequest(message)) this.#open.set(requestKey(message.id), message.id);
    this.#transport.send(message as JSONRPCMessage).catch((error: unknown) => {
      if (isRequest(message)) this.#fail(message.id, failureText(error));
    });
  }

  finish(): void {
    void this.close();
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.#transport.terminateSession().catch(() => {}); // one that is gone needs no farewell
    await this.#transport.close();
    this.#listener.ended('was left', 0);
  }

  agreedOn(protocolVersion: string): void {
    this.#transport.setProtocolVersion(protocolVersion);
  }

  #settled(id: MessageId): void {
    this.#open.delete(requestKey(id));
    this.#broken.delete(requestKey(id));
  }

  #fail(id: MessageId, why: string): void {
    if (!this.#open.has(requestKey(id))) return;
    this.#settled(id);
    this.#listener.message(responseTo(id, rpcFailure(CLOSED, `the MCP server could not answer: ${why}`)));
  }

  /** The SDK waits for ever when the stream of an answer ends without it: that is seen here. */
  async #fetch(target: string | URL, init: RequestInit | undefined): Promise<Response> {
    const response = await fetch(target, init);
    const id = requestIn(init);
    const isStream = response.headers.get('content-type')?.includes('text/event-stream') === true;
    if (id === undefined || !isStream || response.body === null) return response;
    const { body, status, statusText, headers } = response;
    return new Response(ReadableStream.from(this.#watched(body, id)), { status, statusText, headers });
  }

  async *#watched(body: AsyncIterable<Uint8Array>, id: MessageId): AsyncGenerator<Uint8Array> {
    let isResumable = false;
    try {
      for await (const chunk of body) {
        isResumable ||= RESUMABLE.test(Buffer.from(chunk).toString('latin1'));
        yield chunk;
      }
    } finally {
      if (isResumable) this.#broken.set(requestKey(id), id);
      else setTimeout(() => this.#fail(id, 'it ended its answer before it was there'), SETTLE_MS).unref();
    }
  }
}

function requestIn(init: RequestInit | undefined): MessageId | undefined {
  if (typeof init?.body !== 'string') return undefined;
  const message: unknown = JSON.parse(init.body); // the SDK's own
  return isFields(message) && isRequest(message) ? message.id : undefined;
}

/** An address that wants a login has no other way to say so through us. */
function failureText(error: unknown): string {
  const { code } = error as { code?: unknown };
  return code === 401
    ? 'it wants a login (401): give one with --header, or leave this server without the proxy'
    : withCause(error);
}
