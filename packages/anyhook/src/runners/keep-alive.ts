/** A process or one of its pipes, which keeps this program from ending. On Bun, and before the start, some lack these methods. */
interface Holder {
  ref?(): unknown;
  unref?(): unknown;
}

/** Calls `ref` and `unref` in turn only: Bun counts them, so that two `ref` would need two `unref`. */
export class KeepAlive {
  readonly #parts: () => readonly (object | null | undefined)[];
  /** A new process or pipe holds the program until `unref`. */
  #isHeld = true;

  constructor(parts: () => readonly (object | null | undefined)[]) {
    this.#parts = parts;
  }

  hold(): void {
    if (!this.#isHeld) this.#say('ref');
  }
  release(): void {
    if (this.#isHeld) this.#say('unref');
  }

  #say(verb: 'ref' | 'unref'): void {
    this.#isHeld = verb === 'ref';
    for (const part of this.#parts()) (part as Holder | null | undefined)?.[verb]?.();
  }
}
