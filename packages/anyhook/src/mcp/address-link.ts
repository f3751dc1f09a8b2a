/** Connects to a server over streamable HTTP with the official SDK's transport. */

import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { isFields } from '../events/fields.ts';
import { withCause } from '../events/thrown.ts';
import { StreamableHTTPClientTransport } from '../runners/mcp/packed-sdk.ts';
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
import { LARGEST_MESSAGE_BYTES, type ServerLink, type ServerListener } from './server-link.ts';

/** The last event of a stream may still be in the SDK's parser. */
const SETTLE_MS = 1_000;
/** The SDK's message when it stops reconnecting a stream. */
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
  /** Requests whose stream broke and can be resumed. */
  readonly #broken = new Map<string, MessageId>();
  #held: Promise<void> | undefined;
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

  /** The SDK queues what is sent. */
  readonly full = undefined;
  hold(until: Promise<void>): void {
    this.#held = until;
  }

  finish(): void {
    void this.close();
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.#transport.terminateSession().catch(() => {}); // the server may already be gone
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

  /** If a stream ends without its answer, the SDK waits forever. This wrapper detects that. */
  async #fetch(target: string | URL, init: RequestInit | undefined): Promise<Response> {
    const response = await fetch(target, init);
    const id = requestIn(init);
    const { body, status, statusText, headers } = response;
    const [kind = ''] = /text\/event-stream|application\/json/.exec(headers.get('content-type') ?? '') ?? [];
    if (body === null || !response.ok || kind === '') return response;
    const isStream = kind === 'text/event-stream';
    const measured = this.#measured(body, isStream);
    const read = id !== undefined && isStream ? this.#watched(measured, id) : measured;
    return new Response(ReadableStream.from(read), { status, statusText, headers });
  }

  /** Limits the size of each message, and reads no faster than the client does. */
  async *#measured(body: AsyncIterable<Uint8Array>, isStream: boolean): AsyncGenerator<Uint8Array> {
    let [bytes, last] = [0, Buffer.alloc(0)];
    for await (const chunk of body) {
      await this.#held;
      const received = Buffer.concat([last, chunk]);
      const end = isStream ? lastEnd(received) : -1;
      bytes = end === -1 ? bytes + chunk.length : received.length - end;
      if (bytes > LARGEST_MESSAGE_BYTES) throw new TooLarge();
      last = received.subarray(-3);
      yield chunk;
    }
  }

  async *#watched(body: AsyncIterable<Uint8Array>, id: MessageId): AsyncGenerator<Uint8Array> {
    let isResumable = false;
    try {
      for await (const chunk of body) {
        isResumable ||= RESUMABLE.test(Buffer.from(chunk).toString('latin1'));
        yield chunk;
      }
    } catch (error) {
      if (error instanceof TooLarge) this.#fail(id, error.message);
      throw error;
    } finally {
      if (isResumable) this.#broken.set(requestKey(id), id);
      else
        setTimeout(
          () => this.#fail(id, 'it ended the stream before its answer was complete'),
          SETTLE_MS,
        ).unref();
    }
  }
}

class TooLarge extends Error {
  override readonly message = `it sent a message of more than ${LARGEST_MESSAGE_BYTES} bytes`;
}

/** An event of the stream ends after a blank line, with any line endings. */
const lastEnd = (bytes: Buffer): number =>
  Math.max(...['\n\n', '\r\r', '\r\n\r\n'].map((blank) => bytes.lastIndexOf(blank)));

function requestIn(init: RequestInit | undefined): MessageId | undefined {
  if (typeof init?.body !== 'string') return undefined;
  const message: unknown = JSON.parse(init.body); // the SDK's own
  return isFields(message) && isRequest(message) ? message.id : undefined;
}

/** If a server requires a login, this message is the only way to report it. */
function failureText(error: unknown): string {
  const { code } = error as { code?: unknown };
  return code === 401
    ? 'it requires a login (401): give one with --header, or leave this server without the proxy'
    : withCause(error);
}
