/**
 * An abort whose signal is created on first use. Most callbacks never read it, and creating it costs more
 * than calling them.
 */
export class LazyAbort {
  #control: AbortController | undefined;
  #cut: { readonly reason: unknown } | undefined;
  #listener: ((reason: unknown) => void) | undefined;

  get signal(): AbortSignal {
    if (this.#control === undefined) {
      this.#control = new AbortController();
      if (this.#cut !== undefined) this.#control.abort(this.#cut.reason);
    }
    return this.#control.signal;
  }
  get aborted(): boolean {
    return this.#cut !== undefined;
  }
  get reason(): unknown {
    return this.#cut?.reason;
  }
  abort(reason: unknown): void {
    if (this.#cut !== undefined) return;
    this.#cut = { reason };
    this.#control?.abort(reason);
    this.#listener?.(reason);
  }
  /** Sets the only listener and replaces the previous one; `undefined` removes it. */
  tell(listener: ((reason: unknown) => void) | undefined): void {
    this.#listener = listener;
  }
}
