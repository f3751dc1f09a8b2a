/** Requests of the peer that are being answered: one entry per id, each ends exactly once. */
import { LazyAbort } from '../../../runners/lazy-abort.ts';

export interface Task {
  readonly id: string;
  readonly abort: LazyAbort;
  /** False once the peer has withdrawn it, or is gone. */
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

  /** `undefined`: a request with this id is already under way, and its answer is the answer to both. */
  begin(id: string): Task | undefined {
    if (this.#entries.has(id)) return undefined;
    const entry = new Entry(id);
    this.#entries.set(id, entry);
    return entry;
  }
  end(task: Task): void {
    if (this.#entries.get(task.id) === task) this.#entries.delete(task.id);
  }
  /** Withdrawn by the peer: no answer is written. An id that is not under way is nobody's. */
  withdraw(id: string): boolean {
    const entry = this.#entries.get(id);
    if (entry === undefined) return false;
    this.#entries.delete(id);
    entry.isWanted = false;
    entry.abort.abort(new DOMException('the request was withdrawn', 'AbortError'));
    return true;
  }
  /** All at once. `silent`: there is nobody to answer any more. */
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
