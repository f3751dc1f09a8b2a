/** Tracks the client's requests that the server has to answer. */

import {
  CLOSED,
  rpcFailure,
  requestKey,
  type MessageId,
  type RequestMessage,
  type ResponseMessage,
  responseTo,
} from './message.ts';
import type { ServerLink } from './server-link.ts';

/** With the line as it was received. */
export interface ServerAnswer {
  readonly message: ResponseMessage;
  readonly line?: string | undefined;
}

export class OpenRequests {
  readonly #link: ServerLink;
  readonly #open = new Map<string, { readonly id: MessageId; settle(answer: ServerAnswer): void }>();
  #ended: string | undefined;

  constructor(link: ServerLink) {
    this.#link = link;
  }

  get size(): number {
    return this.#open.size;
  }
  has(key: string): boolean {
    return this.#open.has(key);
  }

  /** Calls `settle` as soon as the answer arrives, before any later message. */
  forward(message: RequestMessage, settle: (answer: ServerAnswer) => void): void {
    if (this.#ended !== undefined) return settle(this.#lost(message.id));
    this.#link.send(message); // a request that cannot be sent is not tracked
    this.#open.set(requestKey(message.id), { id: message.id, settle });
  }

  ask(message: RequestMessage): Promise<ServerAnswer> {
    return new Promise((resolve) => this.forward(message, resolve));
  }

  /** Returns whether a request was waiting for this answer. */
  settle(answer: ServerAnswer): boolean {
    const key = requestKey(answer.message.id);
    const waiting = this.#open.get(key);
    this.#open.delete(key);
    waiting?.settle(answer);
    return waiting !== undefined;
  }

  /** Stops waiting for its answer. */
  forget(key: string): void {
    this.#open.delete(key);
  }

  /** Answers open and later requests with an error. */
  serverEnded(how: string): void {
    this.#ended = how;
    for (const { id, settle } of this.#open.values()) settle(this.#lost(id));
    this.#open.clear();
  }

  #lost(id: MessageId): ServerAnswer {
    const reply = rpcFailure(CLOSED, `the MCP server ${this.#ended}`);
    return { message: responseTo(id, reply) as ResponseMessage };
  }
}
