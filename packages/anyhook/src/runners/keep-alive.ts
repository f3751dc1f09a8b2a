/** What may hold this program: a process or one of its pipes. On Bun, and where nothing was started, some have no such words. */
interface Holder {
  ref?(): unknown;
  unref?(): unknown;
}

/** Says only what is new: Bun counts, and what was held twice must be let go twice. */
export class KeepAlive {
  readonly #parts: () => readonly (object | null | undefined)[];
  /** As everything that is new. */
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
