/** Requests of the peer that are being answered: one entry per id, each settled exactly once. */

import { LazyAbort } from '../../../runners/lazy-abort.ts';

export interface Task {
  readonly id: string;
  readonly abort: LazyAbort;
  /** False after the peer cancelled it or disconnected. */
  readonly isWanted: boolean;
}

class Entry implements Task {
  readonly id: string;
  readonly abort = new LazyAbort();
  isWanted = true;
  constructor(id: string) {
    this.id = id;
  }
}

export class InFlight {
  readonly #entries = new Map<string, Entry>();

  /** `undefined`: a request with this id is already running, and its answer counts for both. */
  begin(id: string): Task | undefined {
    if (this.#entries.has(id)) return undefined;
    const entry = new Entry(id);
    this.#entries.set(id, entry);
    return entry;
  }
  end(task: Task): void {
    if (this.#entries.get(task.id) === task) this.#entries.delete(task.id);
  }
  /** Cancelled by the peer: no answer is written. Unknown ids are ignored. */
  withdraw(id: string): boolean {
    const entry = this.#entries.get(id);
    if (entry === undefined) return false;
    this.#entries.delete(id);
    entry.isWanted = false;
    entry.abort.abort(new DOMException('the request was withdrawn', 'AbortError'));
    return true;
  }
  /** Cancels all requests. `silent`: sends no answers, because the peer has gone. */
  cancelAll(reason: string, manner: 'answered' | 'silent'): void {
    for (const entry of this.#entries.values()) {
      if (manner === 'silent') entry.isWanted = false;
      entry.abort.abort(new DOMException(reason, 'AbortError'));
    }
    if (manner === 'silent') this.#entries.clear();
  }
  get size(): number {
    return this.#entries.size;
  }
}
