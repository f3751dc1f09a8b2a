/** Our own requests, each settled exactly once: by its answer, deadline, signal, or the end of the connection. */

import { randomBytes } from 'node:crypto';
import { NEVER } from '../../../events/signal.ts';
import { release, wait } from '../../../runners/deadline.ts';
import type { Frame } from './frame.ts';

export interface RequestOptions {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}
export type RequestEnd =
  | { readonly kind: 'answer'; readonly value: unknown }
  | { readonly kind: 'refusal'; readonly code: string | null; readonly message: string }
  | { readonly kind: 'timed-out' | 'aborted' }
  | { readonly kind: 'gone'; readonly message: string };

export class OwnRequests {
  readonly #waiting = new Map<string, (settled: RequestEnd) => void>();
  #count = 0;

  /** `send` writes the request with its id; `withdraw` informs the peer that the request was cancelled. */
  ask(
    send: (id: string) => void,
    withdraw: (id: string) => void,
    { timeoutMs, signal = NEVER }: RequestOptions,
  ): Promise<RequestEnd> {
    if (signal.aborted) return Promise.resolve({ kind: 'aborted' });
    const id = `req_${++this.#count}_${randomBytes(4).toString('hex')}`;
    return new Promise((settle) => {
      const waiting = wait({ timeoutMs, signal }, (why) => {
        this.#waiting.delete(id);
        withdraw(id);
        settle({ kind: why });
      });
      this.#waiting.set(id, (settled) => {
        release(waiting);
        settle(settled);
      });
      send(id);
    });
  }

  /** False: no pending request has this id. */
  settle(frame: Extract<Frame, { kind: 'answer' | 'refusal' }>): boolean {
    const settle = this.#waiting.get(frame.id);
    this.#waiting.delete(frame.id);
    settle?.(frame);
    return settle !== undefined;
  }
  failAll(message: string): void {
    const all = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const settle of all) settle({ kind: 'gone', message });
  }
}
