import type { AbortWatch } from './job.ts';

/** Aborts one run. An `AbortController` would cost every command several objects, and few runs are ever aborted. */
export class RunAbort implements AbortWatch {
  aborted = false;
  readonly #calls = new Set<() => void>();

  abort(): void {
    if (this.aborted) return;
    this.aborted = true;
    for (const call of this.#calls) call();
  }
  addEventListener(_type: 'abort', call: () => void): void {
    this.#calls.add(call);
  }
  removeEventListener(_type: 'abort', call: () => void): void {
    this.#calls.delete(call);
  }
}
