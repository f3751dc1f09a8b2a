/** Puts questions of hooks to the user through the client's elicitation. Only an explicit yes counts. */

import { randomUUID } from 'node:crypto';
import { isFields } from '../events/fields.ts';
import { requestKey, type Message, paramsOf, type ResponseMessage } from './message.ts';

const FORM = {
  type: 'object',
  properties: {
    run: { type: 'boolean', title: 'Run it', description: 'Run this call exactly as shown?' },
  },
  required: ['run'],
};

export class Questions {
  readonly #send: (message: Message) => void;
  readonly #open = new Map<string, (answer: unknown) => void>();
  #canAsk = false;

  constructor(send: (message: Message) => void) {
    this.#send = send;
  }

  /** Reads from `initialize` whether the client shows forms. */
  learn(initialize: Message): void {
    const { capabilities } = paramsOf(initialize);
    const elicitation = isFields(capabilities) ? capabilities['elicitation'] : undefined;
    this.#canAsk =
      isFields(elicitation) && (elicitation['form'] !== undefined || elicitation['url'] === undefined);
  }

  get canAsk(): boolean {
    return this.#canAsk;
  }

  async ask(message: string, signal: AbortSignal): Promise<boolean> {
    const id = `anyhook-${randomUUID()}`; // the server's own requests take the same route
    const answer = await new Promise<unknown>((resolve) => {
      this.#open.set(requestKey(id), resolve);
      signal.addEventListener('abort', () => this.#withdraw(id), { once: true });
      this.#send({
        jsonrpc: '2.0',
        id,
        method: 'elicitation/create',
        params: { message, requestedSchema: FORM },
      });
    });
    if (!isFields(answer) || answer['action'] !== 'accept') return false;
    return isFields(answer['content']) && answer['content']['run'] === true;
  }

  /** Returns whether this was the answer to a question. */
  take({ id, result }: ResponseMessage): boolean {
    const settle = this.#open.get(requestKey(id));
    this.#open.delete(requestKey(id));
    settle?.(result);
    return settle !== undefined;
  }

  #withdraw(id: string): void {
    const settle = this.#open.get(requestKey(id));
    if (settle === undefined) return;
    this.#open.delete(requestKey(id));
    this.#send({
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: id, reason: 'the call that it concerns was cancelled' },
    });
    settle(undefined);
  }
}
