/** Requests of the client that the server has to answer. */
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

/** With the line as it came. */
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

  /** `settle` is called with the answer as soon as it is there, before anything that comes after it. */
  forward(message: RequestMessage, settle: (answer: ServerAnswer) => void): void {
    if (this.#ended !== undefined) return settle(this.#lost(message.id));
    this.#link.send(message); // what cannot be sent is not waited for
    this.#open.set(requestKey(message.id), { id: message.id, settle });
  }

  ask(message: RequestMessage): Promise<ServerAnswer> {
    return new Promise((resolve) => this.forward(message, resolve));
  }

  /** Did anybody wait for it? */
  settle(answer: ServerAnswer): boolean {
    const key = requestKey(answer.message.id);
    const waiting = this.#open.get(key);
    this.#open.delete(key);
    waiting?.settle(answer);
    return waiting !== undefined;
  }

  /** It need not be answered any more. */
  forget(key: string): void {
    this.#open.delete(key);
  }

  /** Who waits gets an answer that says so, and who asks later, too. */
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
