/** A process or pipe that keeps this program alive. On Bun, and before the start, some lack these methods. */
interface Holder {
  ref?(): unknown;
  unref?(): unknown;
}

/** Calls `ref` and `unref` alternately, because Bun counts them. */
export class KeepAlive {
  readonly #parts: () => readonly (object | null | undefined)[];
  /** A new process or pipe keeps the program alive until `unref`. */
  #isHeld = true;

  constructor(parts: () => readonly (object | null | undefined)[]) {
    this.#parts = parts;
  }

  hold(): void {
    if (!this.#isHeld) this.#apply('ref');
  }
  release(): void {
    if (this.#isHeld) this.#apply('unref');
  }

  #apply(verb: 'ref' | 'unref'): void {
    this.#isHeld = verb === 'ref';
    for (const part of this.#parts()) (part as Holder | null | undefined)?.[verb]?.();
  }
}
