/** An abort whose signal is made when somebody looks at it: most callbacks never do, and making one costs more than calling them. */
export class LazyAbort {
  #control: AbortController | undefined;
  #cut: { readonly reason: unknown } | undefined;
  #told: ((reason: unknown) => void) | undefined;

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
    this.#told?.(reason);
  }
  /** Sets the only listener, in place of the one before; `undefined` removes it. */
  tell(listener: ((reason: unknown) => void) | undefined): void {
    this.#told = listener;
  }
}
